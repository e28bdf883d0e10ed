import { ObjectId } from 'mongodb';
import { groupBy } from '../shared/group-by.ts';
import type { TransferItem } from '../shared/transfer-table.ts';
import { readByKeys } from './batches.ts';
import type { HistoryDoc, HostDoc } from './documents.ts';
import { unavailable } from './errors.ts';
import { chainOf } from './history-chains.ts';
import { isVersion } from './host-version.ts';
import { pause } from './pause.ts';
import type { Context } from './session.ts';
import { layerDoc } from './stored-records.ts';
import { changeItems } from './transfer-series.ts';

/** Data that a host keeps inside its document and outside: its contributions and its history. */

type Change = TransferItem<'host_changes'>;

const LONGEST_CONTEST_MS = 15_000;

type HostView = Pick<HostDoc, '_id' | 'v' | 'w' | 'change' | 'contributions'>;
type HostPlan = { readonly set: Partial<HostDoc>; settle?(): Promise<void> };

/** Changes existing hosts, each by compare-and-set on its version; those changed by another writer are tried again. */
async function changeEach(
  context: Context,
  hostnames: readonly string[],
  plan: (hosts: readonly HostView[]) => Promise<ReadonlyMap<string, HostPlan>>,
): Promise<void> {
  const { hosts } = context.database;
  const deadline = performance.now() + LONGEST_CONTEST_MS;
  let open = hostnames;
  for (let attempt = 0; open.length > 0; attempt++) {
    const present = await readByKeys(open, (keys) =>
      hosts.find({ _id: { $in: keys } }, { projection: { v: 1, w: 1, change: 1, contributions: 1 } }).toArray(),
    );
    if (present.length === 0) return;
    const plans = await plan(present);
    const token = new ObjectId();
    await hosts.bulkWrite(
      present.map((host) => ({
        updateOne: {
          filter: isVersion(host),
          update: { $set: { ...plans.get(host._id)?.set, w: token }, $inc: { v: 1 } },
        },
      })),
      { ordered: false },
    );
    const names = present.map((host) => host._id);
    const written = await readByKeys(names, (keys) =>
      hosts.find({ _id: { $in: keys }, w: token }, { projection: { _id: 1 } }).toArray(),
    );
    const done = new Set(written.map((host) => host._id));
    for (const name of done) await plans.get(name)?.settle?.();
    open = names.filter((name) => !done.has(name));
    if (open.length > 0 && performance.now() > deadline) {
      throw unavailable('Too many others are changing the same hosts. Try again shortly.');
    }
    if (open.length > 0) await pause(attempt, 30);
  }
}

export async function putContributions(
  context: Context,
  items: readonly TransferItem<'contributions'>[],
): Promise<void> {
  const byHost = groupBy(items, (item) => item.hostname);
  await changeEach(context, [...byHost.keys()], async (hosts) => {
    const plans = hosts.map((host): [string, HostPlan] => {
      const merged = new Map((host.contributions ?? []).map((item) => [item.account, item]));
      for (const { hostname: _, ...item } of byHost.get(host._id) ?? []) merged.set(item.accountId, layerDoc(item));
      return [host._id, { set: { contributions: [...merged.values()] } }];
    });
    return new Map(plans);
  });
}

/**
 * Adds the changes to the chains of their hosts. Later ones are appended to a chain; anything else makes a new chain, and the old
 * one is deleted once its host names the new one. Remains of an interruption are on no chain: they are invisible, and `check`
 * removes them.
 */
export async function putChanges(context: Context, items: readonly Change[]): Promise<void> {
  const byHost = groupBy(items, (item) => item.hostname);
  await changeEach(context, [...byHost.keys()], async (hosts) => {
    const names = hosts.map((host) => host._id);
    const { history } = context.database;
    const docs = await readByKeys(names, (keys) => history.find({ hostname: { $in: keys } }).toArray());
    const present = groupBy(docs, (doc) => doc.hostname);
    const added: HistoryDoc[] = [];
    const plans = hosts.map((host): [string, HostPlan] => {
      const newestFirst = [...(present.get(host._id) ?? [])].sort((left, right) => right.seq - left.seq);
      const chain = chainOf(newestFirst, host.change);
      const plan = planChain(host, chain, byHost.get(host._id) ?? []);
      added.push(...plan.added);
      const settle = async (): Promise<void> => {
        if (plan.gone.length > 0) await history.deleteMany({ _id: { $in: [...plan.gone] } });
      };
      return [host._id, { set: { change: plan.change }, settle }];
    });
    if (added.length > 0) await history.insertMany(added, { ordered: false });
    return new Map(plans);
  });
}

interface ChainPlan {
  readonly change: HostDoc['change'];
  readonly added: readonly HistoryDoc[];
  readonly gone: readonly ObjectId[];
}

function planChain(host: HostView, chain: readonly HistoryDoc[], items: readonly Change[]): ChainPlan {
  const stored = changeItems(chain);
  const merged = new Map(stored.map((item) => [placeOf(item), item]));
  const last = stored.at(-1);
  const isBehind = items.every((item) => last === undefined || compareItems(item, last) > 0);
  if (isBehind) return { ...chained(host, host.change, [...items].sort(compareItems)), gone: [] };
  for (const item of items) merged.set(placeOf(item), item);
  return { ...chained(host, null, [...merged.values()].sort(compareItems)), gone: chain.map((doc) => doc._id) };
}

/** Links the changes, oldest first, behind the one that is the newest so far. */
function chained(host: HostView, before: HostDoc['change'], items: readonly Change[]): Omit<ChainPlan, 'gone'> {
  let change = before;
  // Numbers only grow, also over a new chain, so that the newest stays first for those who read by number.
  let seq = host.change?.seq ?? 0;
  const added = items.map(({ hostname, at, actor, kind, changes }): HistoryDoc => {
    const doc = {
      _id: new ObjectId(),
      hostname,
      seq: ++seq,
      prev: change?.id ?? null,
      at: new Date(at),
      actor,
      kind,
      changes,
    };
    change = { id: doc._id, seq };
    return doc;
  });
  return { change, added };
}

function placeOf({ at, place }: Change): string {
  return `${at}/${place}`;
}

function compareItems(left: Change, right: Change): number {
  return left.at - right.at || left.place - right.place;
}
