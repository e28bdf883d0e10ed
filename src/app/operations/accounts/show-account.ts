import * as z from 'zod';
import { AppError } from '../../../ports/index.ts';
import type { Account } from '../../accounts/account-directory.ts';
import type { Caller } from '../../execution/caller.ts';
import { defineOperation } from '../../execution/operation.ts';
import type { Services } from '../../services.ts';
import { accountAnswer, accountSchema } from './account-answer.ts';

export const accountNameSchema = z.string().min(1).describe('Name of the account');

export const showAccount = defineOperation({
  name: 'accounts/show-account',
  title: 'Account',
  description: 'One account with its options; secrets are masked.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  input: z.object({ name: accountNameSchema }),
  output: accountSchema,
  async run({ name }, { services, caller }) {
    const account = await requireAccount(services, caller, name);
    return accountAnswer(account, await services.storage.hosts.countOwned(account.id));
  },
});

/** The account of that name in the caller's scope, else `not_found`. */
export async function requireAccount(services: Services, caller: Caller, name: string): Promise<Account> {
  const account = await services.accounts.byName(name);
  if (account === undefined || (caller.scope !== null && !caller.scope.includes(account.id))) {
    throw new AppError('not_found', `there is no account ${name}; "muster account list" shows which there are`);
  }
  return account;
}
