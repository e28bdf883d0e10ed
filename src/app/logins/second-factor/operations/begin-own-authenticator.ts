import * as z from 'zod';
import { defineOperation } from '../../../users/services.ts';
import { AUTHENTICATOR } from '../authenticator-setup.ts';
import { newAuthenticator } from '../decisions/authenticator.ts';
import { ownFactorInput, ownFactorUser } from '../own-factor.ts';
import { sealTicket } from '../ticket.ts';

export const beginOwnAuthenticator = defineOperation({
  name: 'users/begin-own-authenticator',
  title: 'Set up own authenticator app',
  description:
    'Makes a secret for an authenticator app of the caller, who must give the password. It counts when users/confirm-own-authenticator has a code of it.',
  effect: 'write',
  roles: 'decided-by-operation',
  weight: 'light',
  at: { page: true },
  input: z.object(ownFactorInput),
  output: z.object({
    ticket: z.string(),
    secret: z.string().describe('To be typed into the app'),
    address: z.string().describe('The same, to be shown as a QR code'),
  }),
  async run({ present_password }, { services, caller }) {
    const user = await ownFactorUser(services, caller, present_password);
    const made = newAuthenticator(user.name);
    return { ...made, ticket: await sealTicket(services, AUTHENTICATOR, { user: user.id, secret: made.secret }) };
  },
});
