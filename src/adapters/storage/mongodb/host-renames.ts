import { ObjectId, type WithId } from 'mongodb';
import { lastNames, renameChange } from '../../../app/hosts/decisions/rename.ts';
import type { HostRename, HostStore, RenameOutcome } from '../../../ports/index.ts';
import { reachNote, type TimedNote } from '../shared/feed-notes.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { batchesOf, readByKeys } from './batches.ts';
import type { HistoryDoc, HostDoc, RenameDoc } from './documents.ts';
import { duplicateKeys, unavailable } from './errors.ts';
import { closeRows, openRows } from './feed-rows.ts';
import { forget } from './host-commit.ts';
import { isVersion } from './host-version.ts';
import { pause } from './pause.ts';
import type { Context } from './session.ts';

/** Whole hosts are read and written again. */
const HOSTS_A_RENAME = 100;
const DELETED_AT_ONCE = 10;
const LONGEST_CONTEST_MS = 15_000;

type Request = Parameters<HostStore['rename']>[0];

/**
 * `HostStore.rename`. The name of a host is the id of its document, so it is stored again under the new name and the old document
 * deleted; everything else stored under its name follows. A note of each is written first: an interrupted rename is undone while
 * the old document exists, and finished once it is gone, by the next rename, by `start` and by `check`.
 */
export async function renameHosts(context: Context, request: Request): Promise<readonly RenameOutcome[]> {
  const wanted = request.hosts.map(({ from, to }) => ({ from: wellFormed(from), to: wellFormed(to) }));
  const outcomes: RenameOutcome[] = [];
  await finishRenames(context);
  await context.revisions.changingHosts(context.database, async (announce) => {
    for (const batch of apart(wanted)) {
      await announce();
      outcomes.push(...(await renameBatch(context, { ...request, hosts: batch })));
    }
  });
  return outcomes;
}

/** Splits renames into batches without repeated names. */
function* apart(renames: readonly HostRename[]): Iterable<readonly HostRename[]> {
  let batch: HostRename[] = [];
  let names = new Set<string>();
  for (const rename of renames) {
    if (batch.length >= HOSTS_A_RENAME || names.has(rename.from) || names.has(rename.to)) {
      yield batch;
      batch = [];
      names = new Set();
    }
    batch.push(rename);
    names.add(rename.from).add(rename.to);
  }
  if (batch.length > 0) yield batch;
}

async function renameBatch(context: Context, request: Request): Promise<readonly RenameOutcome[]> {
  const outcomes = new Map<string, RenameOutcome>();
  const deadline = performance.now() + LONGEST_CONTEST_MS;
  let open = request.hosts;
  for (let attempt = 0; open.length > 0; attempt++) {
    if (performance.now() > deadline) {
      throw unavailable('Too many others are changing the same hosts. Try again shortly.');
    }
    if (attempt > 0) await pause(attempt, 30);
    open = await tryRenames(context, { ...request, hosts: open }, outcomes);
  }
  const renamed = request.hosts.filter(({ from }) => outcomes.get(from) === 'renamed');
  await follow(context, renamed);
  return request.hosts.map(({ from }) => outcomes.get(from) ?? 'not_found');
}

interface Move {
  readonly rename: HostRename;
  readonly original: HostDoc;
  readonly history: HistoryDoc;
}

/** Notes the outcomes; answers the renames whose host was written in the meantime. */
async function tryRenames(
  context: Context,
  { hosts, at, actor }: Request,
  outcomes: Map<string, RenameOutcome>,
): Promise<readonly HostRename[]> {
  const { database } = context;
  const token = new ObjectId();
  const docs = await readByKeys(
    hosts.flatMap(({ from, to }) => [from, to]),
    (keys) => database.hosts.find({ _id: { $in: keys } }).toArray(),
  );
  const present = new Map(docs.map((doc) => [doc._id, doc]));
  const moves: Move[] = [];
  for (const rename of hosts) {
    const original = present.get(rename.from);
    if (original === undefined) outcomes.set(rename.from, 'not_found');
    else if (present.has(rename.to)) outcomes.set(rename.from, 'name_taken');
    else moves.push({ rename, original, history: historyOf(rename, original, { at, actor }) });
  }
  if (moves.length === 0) return [];
  const notes = moves.map(({ rename, original }): RenameDoc => {
    return { _id: rename.from, to: rename.to, token, v: original.v, createdAt: original.createdAt };
  });
  await database.renames.bulkWrite(
    notes.map(({ _id, ...note }) => ({ updateOne: { filter: { _id }, update: { $set: note }, upsert: true } })),
    { ordered: false },
  );
  await database.history.insertMany(
    moves.map(({ history }) => history),
    { ordered: false },
  );
  const rows = await openRows(
    context,
    moves.map((move) => noteOf(move, { at, actor })),
  );
  const taken = await insert({ database }, moves, { token, at });
  for (const { rename } of taken) outcomes.set(rename.from, 'name_taken');
  await takeBack({ database }, taken, token);
  const stored = moves.filter((move) => !taken.has(move));
  const left = await leave({ database }, stored);
  await takeBack({ database }, left, token);
  for (const move of stored) if (!left.has(move)) outcomes.set(move.rename.from, 'renamed');
  await closeRows(context, rows, new Set([...taken, ...left].map(({ rename }) => rename.to)));
  return [...left].map(({ rename }) => rename);
}

function noteOf({ rename, original, history }: Move, by: Pick<Request, 'at' | 'actor'>): TimedNote<string> {
  const { from, to } = rename;
  const reach = reachNote({ accountId: original.account, templates: original.templates ?? [] });
  return { ...by, note: { kind: 'renamed', hostname: to, from, change: history._id.toHexString(), ...reach } };
}

type Inside = Pick<Context, 'database'>;

function historyOf(rename: HostRename, { change }: HostDoc, { at, actor }: Pick<Request, 'at' | 'actor'>): HistoryDoc {
  const { kind, changes } = renameChange(rename);
  return {
    _id: new ObjectId(),
    hostname: rename.to,
    seq: (change?.seq ?? 0) + 1,
    prev: change?.id ?? null,
    at,
    actor: { kind: actor.kind, name: actor.name },
    kind,
    changes: JSON.stringify(changes),
  };
}

/** Stores the hosts under their new names; answers those whose name was taken first by another writer. */
async function insert(
  { database }: Inside,
  moves: readonly Move[],
  { token, at }: { readonly token: ObjectId; readonly at: Date },
): Promise<ReadonlySet<Move>> {
  const documents = moves.map(({ rename, original, history }): HostDoc => {
    const { lastUpdate, v } = original;
    return {
      ...original,
      _id: rename.to,
      v: v + 1,
      w: token,
      lastUpdate: lastUpdate === null || lastUpdate < at ? at : lastUpdate,
      change: { id: history._id, seq: history.seq },
    };
  });
  try {
    await database.hosts.bulkWrite(
      documents.map((document) => ({ insertOne: { document } })),
      { ordered: false },
    );
    return new Set();
  } catch (error) {
    const duplicates = duplicateKeys(error);
    if (duplicates === undefined) throw error;
    return new Set(duplicates.positions.flatMap((position) => moves[position] ?? []));
  }
}

/**
 * Deletes the hosts under their old names, one by one to know which; answers those that were written or deleted in the meantime.
 */
async function leave({ database }: Inside, moves: readonly Move[]): Promise<ReadonlySet<Move>> {
  const left = new Set<Move>();
  for (const some of batchesOf(moves, DELETED_AT_ONCE)) {
    const answers = await Promise.all(some.map(({ original }) => database.hosts.deleteOne(isVersion(original))));
    for (const [index, { deletedCount }] of answers.entries()) {
      const move = some[index];
      if (deletedCount === 0 && move !== undefined) left.add(move);
    }
  }
  return left;
}

async function takeBack({ database }: Inside, moves: ReadonlySet<Move>, token: ObjectId): Promise<void> {
  if (moves.size === 0) return;
  const undone = [...moves];
  await database.hosts.bulkWrite(
    undone.map(({ rename }) => ({ deleteOne: { filter: { _id: rename.to, w: token } } })),
    { ordered: false },
  );
  await forget(
    { database },
    undone.map(({ history }) => history),
  );
  await database.renames.deleteMany({ _id: { $in: undone.map(({ rename }) => rename.from) } });
}

/** Undoes or finishes what earlier renames left. Answers how many hosts that were. */
export async function finishRenames(context: Context): Promise<number> {
  const { renames, hosts } = context.database;
  const notes = await renames.find({}, { sort: { token: 1 } }).toArray();
  if (notes.length === 0) return 0;
  const docs = await readByKeys(
    notes.flatMap(({ _id, to }) => [_id, to]),
    (keys) => hosts.find({ _id: { $in: keys } }, { projection: { v: 1, w: 1, createdAt: 1, change: 1 } }).toArray(),
  );
  const present = new Map(docs.map((doc) => [doc._id, doc]));
  const gone: WithId<RenameDoc>[] = [];
  for (const note of notes) {
    const old = present.get(note._id);
    if (old === undefined) {
      gone.push(note);
      continue;
    }
    if (old.createdAt.getTime() === note.createdAt.getTime()) {
      // A process still working on the rename must not delete the old document once the new one is gone.
      const { matchedCount } = await hosts.updateOne(isVersion(old), { $inc: { v: 1 } });
      if (matchedCount === 0) continue;
      const change = present.get(note.to)?.change?.id;
      const { deletedCount } = await hosts.deleteOne({ _id: note.to, w: note.token });
      if (deletedCount > 0 && change !== undefined) await context.database.history.deleteOne({ _id: change });
    }
    await renames.deleteOne({ _id: note._id });
  }
  await follow(
    context,
    gone.map(({ _id, to }) => ({ from: _id, to })),
  );
  return notes.length;
}

/** Moves everything else stored under the names of renamed hosts. Can be repeated. */
async function follow(context: Context, renames: readonly HostRename[]): Promise<void> {
  if (renames.length === 0) return;
  const { history, renames: notes } = context.database;
  const names = lastNames(renames);
  await history.bulkWrite(
    [...names].map(([hostname, to]) => ({ updateMany: { filter: { hostname }, update: { $set: { hostname: to } } } })),
    { ordered: false },
  );
  await followEdges(context, names);
  const former = [...names.keys()];
  const { accountMarks, playbookMatches, ownership, hostComments } = context.database;
  for (const collection of [accountMarks, playbookMatches, ownership, hostComments]) {
    // Only their id and host are read and written, which all of them have.
    const places = collection as unknown as typeof ownership;
    const docs = await readByKeys(former, (keys) =>
      places.find({ hostname: { $in: keys } }, { projection: { hostname: 1 } }).toArray(),
    );
    const moved = docs.map(({ _id, hostname }) => ({ _id, set: { hostname: names.get(hostname) ?? hostname } }));
    await move(places, moved);
  }
  await notes.deleteMany({ _id: { $in: renames.map(({ from }) => from) } });
}

async function followEdges({ database: { relations } }: Context, names: ReadonlyMap<string, string>): Promise<void> {
  const former = [...names.keys()];
  const projection = { hostname: 1, target: 1 } as const;
  const read = (end: 'hostname' | 'target') =>
    readByKeys(former, (keys) => relations.find({ [end]: { $in: keys } }, { projection }).toArray());
  const edges = new Map([...(await read('hostname')), ...(await read('target'))].map((edge) => [`${edge._id}`, edge]));
  const moved = [...edges.values()].map(({ _id, hostname, target }) => {
    return { _id, set: { hostname: names.get(hostname) ?? hostname, target: names.get(target) ?? target } };
  });
  const loops = moved.filter(({ set }) => set.hostname === set.target);
  if (loops.length > 0) await relations.deleteMany({ _id: { $in: loops.map(({ _id }) => _id) } });
  await move(
    relations,
    moved.filter(({ set }) => set.hostname !== set.target),
  );
}

interface Places {
  bulkWrite(
    writes: { updateOne: { filter: { _id: ObjectId }; update: { $set: Record<string, string> } } }[],
    options: { ordered: false },
  ): Promise<unknown>;
  deleteMany(filter: { _id: { $in: ObjectId[] } }): Promise<unknown>;
}

/** Rows that already exist at the new name stay, and those that would duplicate them are deleted. */
async function move(
  places: Places,
  moved: readonly { readonly _id: ObjectId; readonly set: Record<string, string> }[],
): Promise<void> {
  if (moved.length === 0) return;
  try {
    await places.bulkWrite(
      moved.map(({ _id, set }) => ({ updateOne: { filter: { _id }, update: { $set: set } } })),
      { ordered: false },
    );
  } catch (error) {
    const duplicates = duplicateKeys(error);
    if (duplicates === undefined) throw error;
    await places.deleteMany({ _id: { $in: duplicates.positions.flatMap((position) => moved[position]?._id ?? []) } });
  }
}
