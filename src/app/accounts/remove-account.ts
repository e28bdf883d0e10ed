import { worded } from '../../kit/worded.ts';
import { counted } from '../../kit/words/amounts.ts';
import { shellWord } from '../../kit/words/escape.ts';
import { type Actor, AppError } from '../../ports/index.ts';
import { deleteForGood } from '../hosts/delete-for-good.ts';
import { emptySection } from '../hosts/empty-section.ts';
import type { Caller } from '../kernel/caller.ts';
import { macrosOf, referencesTo } from '../rules/transfer/references.ts';
import type { Account } from './account-directory.ts';
import { countOwned } from './owned-objects.ts';
import type { AccountServices } from './services.ts';

const PLANS_A_BATCH = 100;
const HOSTS_A_BATCH = 500;
/** Later than anything the account reported. */
const END_OF_TIME = new Date(Date.UTC(9999, 0));

interface AccountRemoval {
  readonly name: string;
  /** Leaves the objects that it owns in the system that it was exported to. */
  readonly forget: boolean;
  /** Deletes its own hosts for good. */
  readonly withHosts?: boolean;
  readonly signal?: AbortSignal;
  /** How many hosts are gone. */
  progress?(hosts: number): void;
}

/** Removes an account with all its data. Throws `AppError('conflict')` for one that is still in use. */
export async function removeAccount(
  services: AccountServices,
  caller: Caller,
  { name, forget, withHosts = false, signal, progress }: AccountRemoval,
): Promise<{ readonly hosts: number; readonly relations: number; readonly sections: number }> {
  const account = await services.accounts.inScope(name, caller.scope);
  const { hosts: hostStore, rules, relations: edges, marks, ownership, published } = services.storage;
  if (!withHosts) await refuseHosts(services, account);
  const [user] = [...(await referencesTo(services, 'accounts', account.record)), ...(await macrosOf(services, name))];
  if (user !== undefined) {
    throw new AppError(
      'conflict',
      worded`account ${{ name }} is used by ${{ type: user.type }} ${{ user: user.name }}; change that first`,
    );
  }
  const objects = forget ? 0 : await countOwned(ownership, account.id);
  if (objects > 0) {
    throw new AppError(
      'conflict',
      `account ${name} owns ${counted(objects, 'object')} in the system that it is exported to; have its rules take every host out and export once more, which deletes them there except those that others may need too and those that are retired, or leave them there for good with "muster account delete ${shellWord(name)} --forget"`,
    );
  }
  await removePlans(services, account);
  const actor = { kind: 'user', name: caller.name } as const;
  const purged = withHosts
    ? await purgeHosts(services, account, actor, (gone) => {
        signal?.throwIfAborted();
        progress?.(gone);
      })
    : 0;
  // An import may have gone on meanwhile.
  if (withHosts) await refuseHosts(services, account);
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
  return { hosts: purged, relations, sections };
}

function ownedBy({ id }: Account) {
  return { scope: { accounts: [id], templates: null }, kind: 'all' } as const;
}

async function refuseHosts({ storage: { hosts } }: AccountServices, account: Account): Promise<void> {
  const { name } = account;
  const command = `muster account delete ${shellWord(name)} --with-hosts`;
  const active = await hosts.count({ ...ownedBy(account), state: 'active' });
  if (active > 0) {
    throw new AppError(
      'conflict',
      active === 1
        ? worded`account ${{ name }} owns 1 host; archive it first, disable the account instead, or delete it for good with "${{ command }}"`
        : worded`account ${{ name }} owns ${{ active }} hosts; archive them first, disable the account instead, or delete them for good with "${{ command }}"`,
    );
  }
  const archived = await hosts.count({ ...ownedBy(account), state: 'archived' });
  if (archived === 0) return;
  throw new AppError(
    'conflict',
    archived === 1
      ? worded`account ${{ name }} owns 1 host in the archive; "muster maintenance" deletes it once it is older than ARCHIVE_DAYS; or delete it for good with "${{ command }}"`
      : worded`account ${{ name }} owns ${{ archived }} hosts in the archive; "muster maintenance" deletes them once they are older than ARCHIVE_DAYS; or delete them for good with "${{ command }}"`,
  );
}

/** Answers how many hosts and objects are gone. */
async function purgeHosts(
  { storage: { hosts }, clock }: AccountServices,
  account: Account,
  actor: Actor,
  report: (gone: number) => void,
): Promise<number> {
  const { scope, kind } = ownedBy(account);
  let purged = 0;
  for await (const batch of hosts.scan({ scope, kind, state: 'any' }, HOSTS_A_BATCH)) {
    const active = batch.flatMap(({ hostname, archive }) => (archive === null ? [hostname] : []));
    const hostnames = batch.map(({ hostname }) => hostname);
    purged += (await deleteForGood({ hosts, clock }, { hostnames, active, scope, actor })).length;
    report(purged);
  }
  return purged;
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

/** Throws if one of them is being made or applied. */
async function removePlans({ storage: { plans } }: AccountServices, { id, name }: Account): Promise<void> {
  for (;;) {
    const some = await plans.list({ limit: PLANS_A_BATCH, accounts: [id] });
    for (const plan of some) {
      if (await plans.remove(plan.id)) continue;
      const busy = await plans.find(plan.id);
      if (busy === undefined) continue;
      throw new AppError(
        'conflict',
        worded`account ${{ name }} is being exported to (plan ${{ id: plan.id }} is ${{ status: busy.status }}); wait until that has ended`,
      );
    }
    if (some.length < PLANS_A_BATCH) return;
  }
}
