import * as z from 'zod';
import { AppError } from '../../../ports/index.ts';
import { macrosOf, referencesTo } from '../../rules/transfer/references.ts';
import { defineOperation } from '../services.ts';
import { accountNameSchema } from './show-account.ts';

const KEYS_A_BATCH = 500;

export const deleteAccount = defineOperation({
  name: 'accounts/delete-account',
  title: 'Delete account',
  description: 'Deletes an account that nothing uses: no hosts, no child accounts, no rules.',
  effect: 'destructive',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'account delete',
      description: 'Delete an account that nothing uses: no hosts, no other accounts, no rules.',
      summary: 'delete an account that nothing uses',
      arguments: { name: { shown: '<name>', description: 'name of the account' } },
      json: 'answer the outcome as JSON',
      examples: ['muster account delete lab'],
      view: (_, print, { name }) => print.note(`Deleted account ${name}.`),
    },
    page: true,
  },
  input: z.object({ name: accountNameSchema }),
  output: z.object({ status: z.literal('deleted'), name: z.string() }),
  subject: (input) => input.name,
  async run({ name }, { services, caller }) {
    const account = await services.accounts.inScope(name, caller.scope);
    const { hosts: hostStore, rules, marks } = services.storage;
    const filter = { scope: { accounts: [account.id], templates: null }, kind: 'all' } as const;
    const hosts = await hostStore.count({ ...filter, state: 'active' });
    if (hosts > 0) {
      throw new AppError(
        'conflict',
        `account ${name} owns ${hosts} hosts; archive them first, or disable the account instead`,
      );
    }
    const archived = await hostStore.count({ ...filter, state: 'archived' });
    if (archived > 0) {
      throw new AppError(
        'conflict',
        `account ${name} owns ${archived} hosts in the archive; "muster maintenance" deletes them once they are older than ARCHIVE_DAYS`,
      );
    }
    const [user] = [...(await referencesTo(services, 'accounts', account.record)), ...(await macrosOf(services, name))];
    if (user !== undefined) {
      throw new AppError('conflict', `account ${name} is used by ${user.type} ${user.name}; change that first`);
    }
    const actor = { kind: 'user', name: caller.name } as const;
    await hostStore.withdrawContributions({ accountId: account.id, except: [], at: services.clock.now(), actor });
    await services.storage.published.replace(account.id, []);
    const keys = { accountId: account.id, since: services.clock.now() };
    for await (const batch of marks.unrenewedKeys({ ...keys, batchSize: KEYS_A_BATCH })) {
      await marks.removeKeys({ ...keys, keys: batch });
    }
    await rules.remove({
      type: 'accounts',
      id: account.id,
      at: services.clock.now(),
      actor,
    });
    return { status: 'deleted' as const, name };
  },
});
