import { type AnyBulkWriteOperation, type Filter, ObjectId } from 'mongodb';
import type { Remembered } from '../../../app/hosts/decisions/host-changes.ts';
import { bytesOf } from '../../../app/hosts/decisions/host-size.ts';
import { type Actor, AppError, type ValueChange } from '../../../ports/index.ts';
import { batchesOf, HOSTS_A_BATCH, readByKeys } from './batches.ts';
import type { HistoryDoc, HostDoc } from './documents.ts';
import { duplicateKeys, unavailable } from './errors.ts';
import { afterTurn, pause } from './pause.ts';
import type { Context } from './session.ts';

/** One host while it is decided what becomes of it. */
export interface HostSlot {
  readonly hostname: string;
  /** A copy that may be changed, or set where there is none yet. */
  host: HostDoc | undefined;
  /** Set when readers of active hosts will see a difference. */
  visible: boolean;
  /**
   * Whether the host may be written with other text in the place of a part of it. Where it grows its whole size has to be
   * known, so it is decided once more then.
   */
  mayBecome(before: string, after: string): boolean;
  remember(remembered: Remembered): void;
}

/** The large members. What is not asked for is not read and must not be touched. */
type HostMember = 'labels' | 'inventory' | 'members' | 'contributions';

export interface HostWork<T> {
  /** Without repetitions. */
  readonly hostnames: readonly string[];
  readonly read: readonly HostMember[];
  readonly at: Date;
  readonly actor: Actor;
  /** Decides from what is stored; called again when somebody else was faster. Must not wait. */
  decide(slot: HostSlot): T;
  /** Runs after the decision and before the hosts are written. */
  before?(slots: readonly HostSlot[]): Promise<void>;
}

interface Planned<T> {
  readonly slot: HostSlot;
  readonly original: HostDoc | undefined;
  /** Between the two; `undefined` for a new host. */
  readonly difference: Difference | undefined;
  readonly history: readonly HistoryDoc[];
  readonly answer: T;
  /** It grows, and how large it is was not known. */
  readonly unweighed: boolean;
}

/** Somebody always wins a round, so this is met only by hosts that dozens of nodes write all the time. */
const LONGEST_CONTEST_MS = 15_000;
/** Leaves room for the rest of a document below the 16 MB that one can have. */
const LARGEST_HOST = 16_500_000;
/** A change whose values are larger keeps its paths only: the history serves people. */
const LARGEST_CHANGE = 2_000_000;

/**
 * Reads, decides and writes hosts in batches, each host by compare-and-set on its version, so that no write undoes another.
 * Hosts that somebody else changed meanwhile are read and decided again.
 */
export async function changeHosts<T>(context: Context, work: HostWork<T>): Promise<Map<string, T>> {
  const [only, ...others] = work.hostnames;
  if (only === undefined || others.length > 0) return changeInBatches(context, work);
  return inTurn(context, only, () => changeInBatches(context, work));
}

/** Writers of one host on this node, so that they wait for each other instead of losing to each other. */
const turns = new WeakMap<Context, Map<string, Promise<unknown>>>();

async function inTurn<T>(context: Context, hostname: string, work: () => Promise<T>): Promise<T> {
  const queues = turns.get(context) ?? new Map<string, Promise<unknown>>();
  turns.set(context, queues);
  const before = queues.get(hostname);
  const mine = before === undefined ? work() : afterTurn(before, work);
  queues.set(hostname, mine);
  try {
    return await mine;
  } finally {
    if (queues.get(hostname) === mine) queues.delete(hostname);
  }
}

async function changeInBatches<T>(context: Context, work: HostWork<T>): Promise<Map<string, T>> {
  const answers = new Map<string, T>();
  await context.revisions.changingHosts(context.database, async (announce) => {
    for (const batch of batchesOf(work.hostnames, HOSTS_A_BATCH)) {
      await changeBatch(context, { ...work, hostnames: batch }, announce, answers);
    }
  });
  return answers;
}

async function changeBatch<T>(
  context: Context,
  work: HostWork<T>,
  announce: () => Promise<void>,
  answers: Map<string, T>,
): Promise<void> {
  const deadline = performance.now() + LONGEST_CONTEST_MS;
  let open = work.hostnames;
  for (let attempt = 0; ; attempt++) {
    const planned: Planned<T>[] = [];
    const present = await readHosts(context, open, work.read);
    for (const plan of await planHosts(context, work, open, present)) {
      const { hostname } = plan.slot;
      if (plan.slot.host === undefined || isSame(plan)) answers.set(hostname, plan.answer);
      else planned.push(plan);
    }
    if (planned.length === 0) return;
    if (planned.some((plan) => plan.slot.visible)) await announce();
    const history = planned.flatMap((plan) => plan.history);
    if (history.length > 0) await context.database.history.insertMany(history, { ordered: false });
    await work.before?.(planned.map((plan) => plan.slot));
    const lost = await writeHosts(context, planned);
    for (const plan of planned) if (!lost.has(plan)) answers.set(plan.slot.hostname, plan.answer);
    if (lost.size === 0) return;
    await forget(
      context,
      [...lost].flatMap((plan) => plan.history),
    );
    open = [...lost].map((plan) => plan.slot.hostname);
    if (performance.now() > deadline) {
      throw unavailable('Too many others are changing the same hosts. Try again shortly.');
    }
    await pause(attempt, 30);
  }
}

async function readHosts(
  context: Context,
  hostnames: readonly string[],
  members: readonly HostMember[],
): Promise<ReadonlyMap<string, HostDoc>> {
  const all: readonly HostMember[] = ['labels', 'inventory', 'members', 'contributions'];
  const projection = Object.fromEntries(all.filter((member) => !members.includes(member)).map((name) => [name, 0]));
  const docs = await readByKeys(hostnames, (keys) =>
    context.database.hosts.find({ _id: { $in: keys } }, { projection, batchSize: keys.length }).toArray(),
  );
  return new Map(docs.map((doc) => [doc._id, doc]));
}

/** Decides each host; those that grow once more, when it is known how large they are. */
async function planHosts<T>(
  context: Context,
  work: HostWork<T>,
  hostnames: readonly string[],
  present: ReadonlyMap<string, HostDoc>,
): Promise<readonly Planned<T>[]> {
  const { maxHostBytes } = context;
  const plan = (hostname: string, size: number | undefined): Planned<T> => {
    const original = present.get(hostname);
    return planHost(work, hostname, original, { maxHostBytes, size: original === undefined ? 0 : size });
  };
  const first = hostnames.map((hostname) => plan(hostname, undefined));
  const unweighed = first.filter((planned) => planned.unweighed).map((planned) => planned.slot.hostname);
  if (unweighed.length === 0) return first;
  const sizes = await readSizes(context, unweighed);
  return first.map((planned) =>
    planned.unweighed ? plan(planned.slot.hostname, sizes.get(planned.slot.hostname) ?? 0) : planned,
  );
}

/** A size that is no longer true when the host is written belongs to another version, and the write is done anew. */
export async function readSizes(context: Context, hostnames: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const layers = {
    $sum: {
      $map: { input: { $ifNull: ['$contributions', []] }, as: 'layer', in: { $strLenBytes: '$$layer.labels' } },
    },
  };
  const labels = { $cond: [{ $isArray: '$contributions' }, layers, { $strLenBytes: '$labels' }] };
  const size = { $add: [{ $strLenBytes: '$inventory' }, { $strLenBytes: '$members' }, labels] };
  const docs = await readByKeys(hostnames, (keys) =>
    context.database.hosts
      .aggregate<{ _id: string; size: number }>([{ $match: { _id: { $in: [...keys] } } }, { $project: { size } }])
      .toArray(),
  );
  return new Map(docs.map((doc) => [doc._id, doc.size]));
}

interface Weight {
  readonly maxHostBytes: number;
  /** Bytes of the host now; `undefined` while nobody asked. */
  readonly size: number | undefined;
}

function planHost<T>(work: HostWork<T>, hostname: string, original: HostDoc | undefined, weight: Weight): Planned<T> {
  const history: HistoryDoc[] = [];
  let { size } = weight;
  let unweighed = false;
  let last = original?.change ?? null;
  const slot: HostSlot = {
    hostname,
    host: original === undefined ? undefined : { ...original },
    visible: false,
    mayBecome(before, after) {
      const growth = bytesOf(after) - bytesOf(before);
      if (growth > 0 && size === undefined) unweighed = true;
      if (growth > 0 && size !== undefined && size + growth > weight.maxHostBytes) return false;
      if (size !== undefined) size += growth;
      return true;
    },
    remember({ kind, changes }) {
      const id = new ObjectId();
      const seq = (last?.seq ?? 0) + 1;
      const prev = last?.id ?? null;
      history.push({
        _id: id,
        hostname,
        seq,
        prev,
        at: work.at,
        actor: { kind: work.actor.kind, name: work.actor.name },
        kind,
        changes: changesText(changes),
      });
      last = { id, seq };
    },
  };
  const answer = work.decide(slot);
  const { host } = slot;
  if (host !== undefined) {
    host.change = last;
    host.sight = host.lastSeen ?? host.createdAt;
    // One that has to be weighed first is decided once more.
    if (!unweighed) refuseTooLarge(host);
  }
  const difference = original === undefined || host === undefined ? undefined : differenceOf(original, host);
  return { slot, original, difference, history, answer, unweighed };
}

function changesText(changes: readonly ValueChange[]): string {
  const text = JSON.stringify(changes);
  if (text.length <= LARGEST_CHANGE) return text;
  return JSON.stringify(
    changes.map(({ path, before, after }) => ({
      path,
      ...(before === undefined ? {} : { before: '…' }),
      ...(after === undefined ? {} : { after: '…' }),
    })),
  );
}

function refuseTooLarge(host: HostDoc): void {
  const texts = [host.labels, host.inventory, host.members, ...(host.contributions ?? []).map((item) => item.labels)];
  // Members that were not read are absent. A UTF-16 unit takes at most three bytes.
  const units = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
  if (units * 3 <= LARGEST_HOST) return;
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);
  if (bytes <= LARGEST_HOST) return;
  throw new AppError(
    'too_large',
    `Host ${host._id} would be larger than the 16 MB that the database can store for one host.`,
  );
}

/** Writes what was planned and answers whose host somebody else changed first. */
async function writeHosts<T>(context: Context, planned: readonly Planned<T>[]): Promise<ReadonlySet<Planned<T>>> {
  const token = new ObjectId();
  const updates = planned.filter((plan) => plan.original !== undefined);
  const lost = new Set<Planned<T>>();
  let matched: number;
  try {
    const result = await context.database.hosts.bulkWrite(
      planned.map((plan) => writeOf(plan, token)),
      { ordered: false },
    );
    matched = result.matchedCount;
  } catch (error) {
    const duplicates = duplicateKeys(error);
    if (duplicates === undefined) throw error;
    for (const position of duplicates.positions) {
      const plan = planned[position];
      if (plan !== undefined) lost.add(plan);
    }
    matched = duplicates.matched;
  }
  if (matched === updates.length) return lost;
  const compared = updates.filter((plan) => !isSight(plan));
  for (const plan of await unapplied(context, compared, token)) lost.add(plan);
  for (const plan of await unseen(context, updates.filter(isSight))) lost.add(plan);
  return lost;
}

function writeOf<T>(plan: Planned<T>, token: ObjectId): AnyBulkWriteOperation<HostDoc> {
  const { slot, original, difference } = plan;
  const host = slot.host as HostDoc;
  if (original === undefined || difference === undefined)
    return { insertOne: { document: { ...host, v: 1, w: token } } };
  if (isSight(plan)) return sightOf(original, host, difference);
  const filter: Filter<HostDoc> = { _id: host._id, v: original.v };
  const { set, unset } = difference;
  const update = { $set: { ...set, v: original.v + 1, w: token } };
  return {
    updateOne: { filter, update: Object.keys(unset).length === 0 ? update : { ...update, $unset: unset } },
  };
}

/** What becomes of a host that is seen again and has not changed. */
const SIGHT: ReadonlySet<string> = new Set<keyof HostDoc>(['lastSeen', 'sight', 'run']);

/**
 * True when the host was only seen again. Such a write stands before whatever others wrote since the host was read, as long
 * as the host is active, of the same account and was seen before: it undoes nothing, and sights only move forward. So it
 * names no version, which spares the writers a contest; it moves the version all the same, so that others who read before it
 * do not move the sight back, and whoever is about to archive the host as unseen looks at it again.
 */
function isSight({ original, difference }: Planned<unknown>): boolean {
  // A host that was never seen has another sight than its `lastSeen`, which could be later.
  if (difference === undefined || original?.lastSeen == null) return false;
  return Object.keys(difference.unset).length === 0 && Object.keys(difference.set).every((name) => SIGHT.has(name));
}

function sightOf(original: HostDoc, host: HostDoc, { set }: Difference): AnyBulkWriteOperation<HostDoc> {
  const { lastSeen, sight } = host;
  const filter = { _id: host._id, archived: false, account: original.account, lastSeen: { $ne: null } };
  const update = { $max: { lastSeen, sight }, $inc: { v: 1 } };
  const run = 'run' in set ? { $set: { run: host.run } } : {};
  return { updateOne: { filter, update: { ...update, ...run } } };
}

interface Difference {
  readonly set: Partial<HostDoc>;
  readonly unset: Readonly<Record<string, ''>>;
}

function isSame({ difference }: Planned<unknown>): boolean {
  return difference !== undefined && Object.keys(difference.set).length + Object.keys(difference.unset).length === 0;
}

function differenceOf(original: HostDoc, host: HostDoc): Difference {
  const before = new Map<string, unknown>(Object.entries(original));
  const set = Object.fromEntries(Object.entries(host).filter(([key, value]) => !same(before.get(key), value)));
  const gone = [...before.keys()].filter((key) => !(key in host));
  return { set, unset: Object.fromEntries(gone.map((key) => [key, '' as const])) };
}

function same(left: unknown, right: unknown): boolean {
  if (left instanceof Date && right instanceof Date) return left.getTime() === right.getTime();
  return left === right;
}

/**
 * Which sights met a host that somebody archived, took over, replaced or purged just before, so that they must be decided
 * again. One to which that happened just behind the sight may be among them: its writer is still waiting for the answer.
 */
async function unseen<T>(context: Context, sights: readonly Planned<T>[]): Promise<readonly Planned<T>[]> {
  const names = sights.map((plan) => plan.slot.hostname);
  const projection = { archived: 1, account: 1, lastSeen: 1, run: 1 };
  const docs = await readByKeys(names, (keys) =>
    context.database.hosts.find({ _id: { $in: keys } }, { projection }).toArray(),
  );
  const now = new Map(docs.map((doc) => [doc._id, doc]));
  return sights.filter((plan) => !isSeen(plan, now.get(plan.slot.hostname)));
}

type Seen = Pick<HostDoc, 'archived' | 'account' | 'lastSeen' | 'run'>;

function isSeen({ slot: { host }, original, difference }: Planned<unknown>, now: Seen | undefined): boolean {
  if (host?.lastSeen == null || now?.lastSeen == null) return false;
  // Nobody else writes the id of the run.
  if (difference !== undefined && 'run' in difference.set) return now.run === host.run;
  return !now.archived && now.account === original?.account && now.lastSeen >= host.lastSeen;
}

/** Which updates found their host changed. A bulk write tells how many, not which. */
async function unapplied<T>(
  context: Context,
  updates: readonly Planned<T>[],
  token: ObjectId,
): Promise<readonly Planned<T>[]> {
  const names = updates.map((plan) => plan.slot.hostname);
  const docs = await readByKeys(names, (keys) =>
    context.database.hosts.find({ _id: { $in: keys } }, { projection: { w: 1, change: 1 } }).toArray(),
  );
  const now = new Map(docs.map((doc) => [doc._id, doc]));
  const lost: Planned<T>[] = [];
  for (const plan of updates) {
    const doc = now.get(plan.slot.hostname);
    if (doc?.w.equals(token)) continue;
    if (await followed(context, plan)) continue;
    lost.push(plan);
  }
  return lost;
}

/**
 * True when the host has another writer's token because that one wrote after us. Our newest change is on the chain then:
 * only who read it can have named it. A write without a change in the history is one that may be done twice.
 */
async function followed<T>(context: Context, { slot, history }: Planned<T>): Promise<boolean> {
  const last = history.at(-1);
  if (last === undefined) return false;
  const host = await context.database.hosts.findOne({ _id: slot.hostname }, { projection: { change: 1 } });
  if (host?.change?.id.equals(last._id)) return true;
  const next = await context.database.history.findOne({ hostname: slot.hostname, seq: last.seq + 1, prev: last._id });
  return next !== null;
}

/** Takes back changes that did not happen. They are on no chain, so nobody saw them. */
async function forget(context: Context, history: readonly HistoryDoc[]): Promise<void> {
  if (history.length === 0) return;
  await context.database.history.bulkWrite(
    history.map((item) => ({ deleteOne: { filter: { _id: item._id } } })),
    { ordered: false },
  );
}
