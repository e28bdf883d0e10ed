import * as z from 'zod';
import { AppError, type Wording } from '../../../ports/index.ts';
import type { UserServices } from '../../users/services.ts';

const MINUTE_MS = 60_000;

const sealedSchema = z.object({ until: z.number(), content: z.unknown() });

/** The state of a login between two requests, sealed: only this service can write it, and each node can continue it. */
export interface TicketKind<Content> {
  /** The purpose for which the text is sealed. */
  readonly purpose: string;
  readonly content: z.ZodType<Content>;
  readonly minutes: number;
  /** The message for a ticket that took too long, or is invalid. */
  readonly expired: Wording;
}

export async function sealTicket<Content>(
  { secrets, clock }: Pick<UserServices, 'secrets' | 'clock'>,
  { purpose, minutes }: TicketKind<Content>,
  content: Content,
): Promise<string> {
  const until = clock.now().getTime() + minutes * MINUTE_MS;
  return secrets.seal(JSON.stringify({ until, content }), purpose);
}

export async function openTicket<Content>(
  { secrets, clock }: Pick<UserServices, 'secrets' | 'clock'>,
  kind: TicketKind<Content>,
  ticket: string,
): Promise<Content> {
  const text = await secrets.open(ticket, kind.purpose).catch(() => undefined);
  const sealed = text === undefined ? undefined : sealedSchema.parse(JSON.parse(text));
  if (sealed === undefined || sealed.until <= clock.now().getTime()) throw new AppError('forbidden', kind.expired);
  return kind.content.parse(sealed.content);
}
