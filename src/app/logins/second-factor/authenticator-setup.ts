import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import type { RuleDocument } from '../../../ports/index.ts';
import type { TicketKind } from './ticket.ts';

/** An authenticator app that a logged-in user is setting up. */
export const AUTHENTICATOR: TicketKind<{ user: string; secret: string }> = {
  purpose: 'setting up an authenticator app',
  content: z.object({ user: z.string(), secret: z.string() }),
  minutes: 10,
  expired: worded`this took too long; start to set up the app again`,
};

export function withoutAuthenticator(document: RuleDocument): RuleDocument {
  const { tfa_secret: _clear, tfa_secret_crypted: _sealed, ...rest } = document;
  return rest;
}
