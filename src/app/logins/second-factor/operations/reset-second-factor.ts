import * as z from 'zod';
import { changeDocument } from '../../../rules/transfer/store-document.ts';
import { requireUser, userNameSchema } from '../../../users/require-user.ts';
import { defineOperation } from '../../../users/services.ts';
import { withoutAuthenticator } from '../authenticator-setup.ts';

export const resetSecondFactor = defineOperation({
  name: 'users/reset-second-factor',
  title: 'Reset second factor',
  description:
    'Takes authenticator app, passkeys and recovery codes from a user who has lost them, and ends the sessions of the user.',
  effect: 'destructive',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'user reset-second-factor',
      description:
        'Take authenticator app, passkeys and recovery codes from a user who has lost them. The password stays, and sessions end. Where a second factor is required, the user sets one up at the next login.',
      summary: 'help a user who has lost the second factor',
      arguments: { name: { shown: '<name>', description: 'name of the user' } },
      json: 'answer the outcome as JSON',
      examples: ['muster user reset-second-factor olga'],
      view: (_, print, { name }) => print.note(`User ${name} logs in with the password, and without a second factor.`),
    },
    page: true,
  },
  input: z.object({ name: userNameSchema }),
  output: z.object({ status: z.literal('reset'), name: z.string() }),
  subject: ({ name }) => name,
  async run({ name }, { services, caller }) {
    const user = await requireUser(services, name);
    await changeDocument(
      services,
      caller,
      'users',
      user.record,
      (document) => ({ ...withoutAuthenticator(document), passkeys: [], recovery_codes: [] }),
      { keepsConfirmation: true },
    );
    await services.sessions.endOfUser(user.id);
    return { status: 'reset' as const, name: user.name };
  },
});
