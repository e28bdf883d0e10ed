import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import type { Caller } from '../../kernel/caller.ts';
import { confirmOwnPassword } from '../../users/confirm-password.ts';
import { ownUser, refuseNoOwnChange } from '../../users/own-document.ts';
import type { UserServices } from '../../users/services.ts';
import type { User } from '../../users/user.ts';

export const ownFactorInput = { present_password: z.string().describe('The password of the caller') } as const;

export const recoveryCodesAnswer = z.object({
  recovery_codes: z.array(z.string()).describe('Shown once; none where the caller keeps those it has'),
});

/** The caller, who may change how they log in and has given their password. */
export async function ownFactorUser(services: UserServices, caller: Caller, password: string): Promise<User> {
  refuseNoOwnChange(caller, 'change its second factor');
  const user = await ownUser(services, caller);
  if (user.login !== undefined) {
    throw new AppError('conflict', worded`you log in through another system; set up a second factor there`);
  }
  await confirmOwnPassword(services, caller, user, password);
  return user;
}
