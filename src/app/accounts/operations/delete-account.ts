import * as z from 'zod';
import { AppError } from '../../../ports/index.ts';
import { macrosOf, referencesTo } from '../../rules/transfer/references.ts';
import { counted } from '../../words/amounts.ts';
import { shellWord } from '../../words/escape.ts';
import type { Account } from '../account-directory.ts';
import { type AccountServices, defineOperation } from '../services.ts';
import { accountNameSchema } from './show-account.ts';

const PLANS_A_BATCH = 100;

export const deleteAccount = defineOperation({
  name: 'accounts/delete-account',
  title: 'Delete account',
  description:
    'Deletes an account that nothing uses: no hosts, no child accounts, no rules, and no objects in the system that it was exported to, with its plans and everything that it published.',
  effect: 'destructive',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'account delete',
      description:
        'Delete an account that nothing uses: no hosts, no other accounts, no rules, no objects in the system that it was exported to. Its plans and what it published go with it.',
      summary: 'delete an account that nothing uses',
      arguments: { name: { shown: '<name>', description: 'name of the account' } },
      options: {
        forget: {
          flags: '--forget',
          description: 'leave its objects in that system, where nobody keeps them any more',
        },
      },
      json: 'answer the outcome as JSON',
      examples: ['muster account delete lab', 'muster account delete netbox --forget'],
      view: (_, print, { name }) => print.note(`Deleted account ${name}.`),
    },
    page: true,
  },
  input: z.object({
    name: accountNameSchema,
    forget: z
      .boolean()
      .default(false)
      .describe(
        'Leaves the objects that it owns in the system that it was exported to, where nobody keeps them any more',
      ),
  }),
  output: z.object({ status: z.literal('deleted'), name: z.string() }),
  subject: (input) => input.name,
  async run({ name, forget }, { services, caller }) {
    const account = await services.accounts.inScope(name, caller.scope);
    const { hosts: hostStore, rules, marks, ownership, published } = services.storage;
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
    const objects = forget ? 0 : await ownership.count(account.id);
    if (objects > 0) {
      throw new AppError(
        'conflict',
        `account ${name} owns ${counted(objects, 'object')} in the system that it is exported to; have its rules take every host out and export once more, which deletes them there, or leave them there for good with "muster account delete ${shellWord(name)} --forget"`,
      );
    }
    await removePlans(services, account);
    const actor = { kind: 'user', name: caller.name } as const;
    await hostStore.withdrawContributions({ accountId: account.id, except: [], at: services.clock.now(), actor });
    await published.replace(account.id, []);
    await marks.clear(account.id);
    await ownership.clear(account.id);
    await rules.remove({
      type: 'accounts',
      id: account.id,
      at: services.clock.now(),
      actor,
    });
    return { status: 'deleted' as const, name };
  },
});

/** Throws where somebody makes or applies one of them. */
async function removePlans({ storage: { plans } }: AccountServices, { id, name }: Account): Promise<void> {
  for (;;) {
    const some = await plans.list({ limit: PLANS_A_BATCH, accounts: [id] });
    for (const plan of some) {
      if (await plans.remove(plan.id)) continue;
      const busy = await plans.find(plan.id);
      if (busy === undefined) continue;
      throw new AppError(
        'conflict',
        `account ${name} is being exported to (plan ${plan.id} is ${busy.status}); wait until that has ended`,
      );
    }
    if (some.length < PLANS_A_BATCH) return;
  }
}
