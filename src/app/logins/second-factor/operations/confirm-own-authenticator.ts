import * as z from 'zod';
import { detailOf, saidBy } from '../../../../kit/worded.ts';
import { AppError } from '../../../../ports/index.ts';
import { ownUser, refuseNoOwnChange } from '../../../users/own-document.ts';
import { defineOperation } from '../../../users/services.ts';
import { takeTry } from '../../../users/tries.ts';
import { AUTHENTICATOR } from '../authenticator-setup.ts';
import { requireCodeOf, saveAuthenticator } from '../codes.ts';
import { recoveryCodesAnswer } from '../own-factor.ts';
import { openTicket } from '../ticket.ts';

export const confirmOwnAuthenticator = defineOperation({
  name: 'users/confirm-own-authenticator',
  title: 'Confirm own authenticator app',
  description: 'From now on the caller logs in with a code of the app too. Other sessions of the caller end.',
  effect: 'write',
  roles: 'decided-by-operation',
  weight: 'light',
  at: { page: true },
  input: z.object({
    ticket: z.string().describe('From users/begin-own-authenticator'),
    code: z.string().describe('That the app shows now'),
  }),
  output: recoveryCodesAnswer,
  async run({ ticket, code }, { services, caller }) {
    refuseNoOwnChange(caller, 'change its second factor');
    const user = await ownUser(services, caller);
    const { user: id, secret } = await openTicket(services, AUTHENTICATOR, ticket);
    if (id !== user.id) throw new AppError('forbidden', AUTHENTICATOR.expired);
    await takeTry(services, user);
    await requireCodeOf(services, user, secret, code).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'unauthenticated') throw error;
      const said = saidBy(error);
      throw new AppError('invalid_input', said, { details: [detailOf('code', said)] });
    });
    return { recovery_codes: [...(await saveAuthenticator(services, caller, user, secret))] };
  },
});
