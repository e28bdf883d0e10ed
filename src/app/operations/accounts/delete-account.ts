import * as z from 'zod';
import { AppError } from '../../../ports/index.ts';
import { defineOperation } from '../../operation.ts';
import { referencesTo } from '../../rules-transfer/references.ts';
import { accountNameSchema, requireAccount } from './show-account.ts';

export const deleteAccount = defineOperation({
  name: 'accounts/delete-account',
  title: 'Delete account',
  description: 'Deletes an account that nothing uses: no hosts, no children, no rules.',
  effect: 'destructive',
  roles: ['admin'],
  weight: 'light',
  input: z.object({ name: accountNameSchema }),
  output: z.object({ status: z.literal('deleted'), name: z.string() }),
  subject: (input) => input.name,
  async run({ name }, { services, caller }) {
    const account = await requireAccount(services, caller, name);
    const hosts = await services.storage.hosts.countOwned(account.id);
    if (hosts > 0) {
      throw new AppError(
        'conflict',
        `account ${name} owns ${hosts} hosts; archive them first, or disable the account instead`,
      );
    }
    const [user] = await referencesTo(services, 'accounts', account.record);
    if (user !== undefined) {
      throw new AppError('conflict', `account ${name} is used by ${user.type} ${user.name}; change that first`);
    }
    await services.storage.rules.remove({
      type: 'accounts',
      id: account.id,
      at: services.clock.now(),
      actor: { kind: 'user', name: caller.name },
    });
    return { status: 'deleted' as const, name };
  },
});
