import * as z from 'zod';
import { worded } from '../../../../kit/worded.ts';
import { AppError } from '../../../../ports/index.ts';
import { defineOperation } from '../../../users/services.ts';
import { renewRecoveryCodes } from '../codes.ts';
import { ownFactorInput, ownFactorUser, recoveryCodesAnswer } from '../own-factor.ts';
import { hasSecondFactor } from '../required.ts';

export const createOwnRecoveryCodes = defineOperation({
  name: 'users/create-own-recovery-codes',
  title: 'Create own recovery codes',
  description: 'New codes for when the second factor is lost. They are shown once, and take the place of those before.',
  effect: 'write',
  roles: 'decided-by-operation',
  weight: 'light',
  at: { page: true },
  input: z.object(ownFactorInput),
  output: recoveryCodesAnswer,
  async run({ present_password }, { services, caller }) {
    const user = await ownFactorUser(services, caller, present_password);
    if (!hasSecondFactor(user)) {
      throw new AppError(
        'conflict',
        worded`there is no second factor yet that they could stand in for; set one up first`,
      );
    }
    return { recovery_codes: [...(await renewRecoveryCodes(services, caller, user))] };
  },
});
