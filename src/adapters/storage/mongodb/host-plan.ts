import { ObjectId } from 'mongodb';
import { type DraftHost, HostDraft, type HostPart, sizeOfParts } from '../../../app/hosts/decisions/host-draft.ts';
import { type Actor, AppError, type ValueChange } from '../../../ports/index.ts';
import { notesOfDraft, type TimedNote } from '../shared/feed-notes.ts';
import { oneAnswer, readByKeys } from './batches.ts';
import type { HistoryDoc, HostDoc } from './documents.ts';
import { pendingEffectOf } from './pending-effects.ts';
import type { Context } from './session.ts';
import { draftOf, hostFields, layerDoc } from './stored-records.ts';

/** A change with the hosts that it is about, each once. */
export interface HostWork<T> {
  readonly hostnames: readonly string[];
  readonly reads: readonly HostPart[];
  /** Decides from the stored host; called again if another writer was faster. */
  decide(draft: HostDraft): T;
}

export interface Planned<T> {
  readonly draft: HostDraft;
  readonly original: HostDoc | undefined;
  /** The host as it will be stored; `undefined` if there is none. */
  readonly host: HostDoc | undefined;
  /** Between the two; `undefined` for a new host. */
  readonly difference: Difference | undefined;
  readonly history: readonly HistoryDoc[];
  readonly answer: T;
}

/** Leaves room for the rest of a document below the 16 MB that one can have. */
const LARGEST_HOST = 16_500_000;
/** A change whose values are larger keeps its paths only: the history serves people. */
const LARGEST_CHANGE = 2_000_000;

/** Reads hosts and decides each; those that grow once more, when it is known how large they are. */
export async function planHosts<T>(
  context: Context,
  work: HostWork<T>,
  hostnames: readonly string[],
): Promise<readonly Planned<T>[]> {
  const present = await readHosts(context, hostnames, work.reads);
  const plan = (hostname: string, size: number | undefined): Planned<T> =>
    planHost(work, hostname, present.get(hostname), { limit: context.maxHostBytes, size });
  const first = hostnames.map((hostname) => plan(hostname, undefined));
  const unweighed = first.filter(({ draft }) => draft.unweighed).map(({ draft }) => draft.hostname);
  if (unweighed.length === 0) return first;
  const sizes = await readSizes(context, unweighed);
  return first.map((planned) => {
    const { hostname } = planned.draft;
    return planned.draft.unweighed ? plan(hostname, sizes.get(hostname) ?? 0) : planned;
  });
}

const FIELDS: Readonly<Record<HostPart, keyof HostDoc>> = {
  labels: 'labels',
  inventory: 'inventory',
  members: 'members',
  layers: 'contributions',
};

async function readHosts(
  context: Context,
  hostnames: readonly string[],
  reads: readonly HostPart[],
): Promise<ReadonlyMap<string, HostDoc>> {
  const read = new Set<keyof HostDoc>(reads.map((part) => FIELDS[part]));
  const projection = Object.fromEntries(
    Object.values(FIELDS).flatMap((field) => (read.has(field) ? [] : [[field, 0]])),
  );
  const docs = await readByKeys(hostnames, (keys) =>
    context.database.hosts.find({ _id: { $in: keys } }, { projection, batchSize: oneAnswer(keys) }).toArray(),
  );
  return new Map(docs.map((doc) => [doc._id, doc]));
}

/**
 * Reads the sizes of hosts. A size that is outdated when the host is written belongs to another version, and the write is
 * repeated.
 */
async function readSizes(context: Context, hostnames: readonly string[]): Promise<ReadonlyMap<string, number>> {
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
  readonly limit: number;
  /** Bytes of the stored host; `undefined` until it is needed. */
  readonly size: number | undefined;
}

function planHost<T>(work: HostWork<T>, hostname: string, original: HostDoc | undefined, weight: Weight): Planned<T> {
  const draft = new HostDraft(hostname, original && draftOf(original), {
    limit: weight.limit,
    weigh: (now) => weigh(now, original, weight),
  });
  const answer = work.decide(draft);
  const history = historyOf(draft, original?.change ?? null);
  const host = docOf(draft, original, history);
  // One that has to be weighed first is decided once more.
  if (host !== undefined && !draft.unweighed) refuseTooLarge(host);
  const difference = original === undefined || host === undefined ? undefined : differenceOf(original, host);
  return { draft, original, host, difference, history, answer };
}

/** Computes the new size; parts of a host that were not read stay as they are. */
function weigh(now: DraftHost, original: HostDoc | undefined, { size }: Weight): number | undefined {
  if (original === undefined) return sizeOfParts(now);
  return size === undefined ? undefined : size - sizeOfParts(draftOf(original)) + sizeOfParts(now);
}

/** Returns the notes for the change feed. */
export function notesOf<T>({ draft, original, host, history }: Planned<T>): readonly TimedNote<string>[] {
  const references = history.map(({ _id }) => _id.toHexString());
  return notesOfDraft(draft, references, () => (original ?? host)?.templates ?? []);
}

/** The changes of a draft, each behind the one before it. */
function historyOf({ hostname, history }: HostDraft, newest: HostDoc['change']): readonly HistoryDoc[] {
  let last = newest;
  return history.map(({ at, actor, kind, changes }) => {
    const id = new ObjectId();
    const seq = (last?.seq ?? 0) + 1;
    const prev = last?.id ?? null;
    last = { id, seq };
    const { kind: by, name } = actor;
    return { _id: id, hostname, seq, prev, at, actor: { kind: by, name }, kind, changes: changesText(changes) };
  });
}

function docOf(
  { hostname, host, changes, effects, createdBy }: HostDraft,
  original: HostDoc | undefined,
  history: readonly HistoryDoc[],
): HostDoc | undefined {
  const present = original ?? (createdBy && newDoc(hostname, createdBy.actor));
  if (host === undefined || present === undefined) return undefined;
  const newest = history.at(-1);
  const doc: HostDoc = {
    ...present,
    ...hostFields(host),
    ...(newest !== undefined && { change: { id: newest._id, seq: newest.seq } }),
    ...(effects.length > 0 && { debts: [...(original?.debts ?? []), ...effects.map(pendingEffectOf)] }),
  };
  const layers = original === undefined ? host.layers : changes.layers;
  if (layers !== undefined && layers.length > 0) doc.contributions = layers.map(layerDoc);
  else if (layers !== undefined) delete doc.contributions;
  return doc;
}

function newDoc(_id: string, { kind, name }: Actor): Pick<HostDoc, '_id' | 'v' | 'w' | 'createdBy' | 'change'> {
  return { _id, v: 0, w: new ObjectId(), createdBy: { kind, name }, change: null };
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

export interface Difference {
  readonly set: Partial<HostDoc>;
  readonly unset: Readonly<Record<string, ''>>;
}

/** Whether there is nothing to write. */
export function isSame({ draft, host, difference }: Planned<unknown>): boolean {
  if (host === undefined) return true;
  if (difference === undefined || draft.relations !== undefined) return false;
  return Object.keys(difference.set).length + Object.keys(difference.unset).length === 0;
}

function differenceOf(original: HostDoc, host: HostDoc): Difference {
  const before = new Map<string, unknown>(Object.entries(original));
  const set = Object.fromEntries(Object.entries(host).filter(([key, value]) => !same(before.get(key), value)));
  const gone = [...before.keys()].filter((key) => !(key in host));
  return { set, unset: Object.fromEntries(gone.map((key) => [key, '' as const])) };
}

function same(left: unknown, right: unknown): boolean {
  if (left instanceof Date && right instanceof Date) return left.getTime() === right.getTime();
  if (Array.isArray(left) && Array.isArray(right)) return JSON.stringify(left) === JSON.stringify(right);
  return left === right;
}
