import * as z from 'zod';
import { worded } from '../../../../kit/worded.ts';
import { AppError } from '../../../../ports/index.ts';
import { defineOperation } from '../../../users/services.ts';
import { ownFactorInput, ownFactorUser } from '../own-factor.ts';
import { removePasskey } from '../passkeys.ts';

export const removeOwnPasskey = defineOperation({
  name: 'users/remove-own-passkey',
  title: 'Remove own passkey',
  description: 'The passkey opens nothing any more. The caller must give the password.',
  effect: 'destructive',
  roles: 'decided-by-operation',
  weight: 'light',
  at: { page: true },
  input: z.object({ ...ownFactorInput, id: z.string().describe('Its credential ID') }),
  output: z.object({ status: z.literal('removed') }),
  subject: ({ id }) => id.slice(0, 100),
  async run({ present_password, id }, { services, caller }) {
    const user = await ownFactorUser(services, caller, present_password);
    if (!(await removePasskey(services, caller, user, id))) {
      throw new AppError('not_found', worded`you have no such passkey; reload the page`);
    }
    return { status: 'removed' as const };
  },
});
