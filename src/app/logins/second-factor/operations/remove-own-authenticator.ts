import * as z from 'zod';
import { defineOperation } from '../../../users/services.ts';
import { withoutAuthenticator } from '../authenticator-setup.ts';
import { changeOwn } from '../codes.ts';
import { ownFactorInput, ownFactorUser } from '../own-factor.ts';

export const removeOwnAuthenticator = defineOperation({
  name: 'users/remove-own-authenticator',
  title: 'Remove own authenticator app',
  description: 'The caller, who must give the password, logs in without codes of the app from now on.',
  effect: 'destructive',
  roles: 'decided-by-operation',
  weight: 'light',
  at: { page: true },
  input: z.object(ownFactorInput),
  output: z.object({ status: z.literal('removed') }),
  async run({ present_password }, { services, caller }) {
    const user = await ownFactorUser(services, caller, present_password);
    await changeOwn(services, caller, user, withoutAuthenticator);
    return { status: 'removed' as const };
  },
});
