import { type Actor, AppError } from '../../ports/index.ts';
import { emptySection } from '../hosts/empty-section.ts';
import type { Caller } from '../kernel/caller.ts';
import { macrosOf, referencesTo } from '../rules/transfer/references.ts';
import { counted } from '../words/amounts.ts';
import { shellWord } from '../words/escape.ts';
import type { Account } from './account-directory.ts';
import type { AccountServices } from './services.ts';

const PLANS_A_BATCH = 100;
const HOSTS_A_BATCH = 500;
/** Whatever an account told, it told before. */
const END_OF_TIME = new Date(Date.UTC(9999, 0));

/** Takes an account away with all that it told. Throws `AppError('conflict')` for one that something still uses. */
export async function removeAccount(
  services: AccountServices,
  caller: Caller,
  { name, forget }: { readonly name: string; readonly forget: boolean },
): Promise<{ readonly relations: number; readonly sections: number }> {
  const account = await services.accounts.inScope(name, caller.scope);
  const { hosts: hostStore, rules, relations: edges, marks, ownership, published } = services.storage;
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
  const relations = await edges.prune({ source: name, unnamedSince: END_OF_TIME, except: [] });
  const sections = await emptySections(services, account, actor);
  await published.replace(account.id, []);
  await marks.clear(account.id);
  await ownership.clear(account.id);
  await rules.remove({
    type: 'accounts',
    id: account.id,
    at: services.clock.now(),
    actor,
  });
  return { relations, sections };
}

/** Every section that it filled is emptied, but where another account fills it too. Answers how many were. */
async function emptySections({ storage, clock }: AccountServices, { id }: Account, actor: Actor): Promise<number> {
  const { hosts, marks } = storage;
  const filled = { accountId: id, kind: 'section' } as const;
  let emptied = 0;
  for (const value of await marks.values(filled)) {
    const mark = { ...filled, value };
    for await (const names of marks.unrenewed({ ...mark, since: END_OF_TIME, batchSize: HOSTS_A_BATCH })) {
      emptied += await emptySection({ hosts, marks, mark, since: END_OF_TIME, at: clock.now(), actor }, names);
    }
  }
  return emptied;
}

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
