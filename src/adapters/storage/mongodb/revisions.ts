import { setTimeout as sleep } from 'node:timers/promises';
import { type AnyBulkWriteOperation, ObjectId } from 'mongodb';
import type { Logger, Revisions } from '../../../ports/index.ts';
import type { ControlDoc } from './control-documents.ts';
import { isDuplicateKey } from './errors.ts';
import { SERVER_NOW } from './leases.ts';
import type { Database } from './schema.ts';

/** How long a call waits for what another one asked the database for before it asks itself: several times a round trip. */
const LONGEST_SHARED_MS = 100;

interface RevisionState {
  readonly revisions: Revisions;
  /** Signs of writers that died, or were cut off, between a change and its revision. */
  readonly abandoned: readonly string[];
  /** A bundle of rules was promised, and is not carried out yet. */
  readonly promisedPlan: boolean;
  /** One whose writer did not finish in its time. */
  readonly unfinishedPlan: boolean;
}

export interface RevisionKeeper {
  /**
   * Runs work that changes hosts and moves their revision behind it, also when the work fails half way. The work calls
   * `announce` before each batch of changes that readers can see.
   */
  changingHosts<T>(database: Database, work: (announce: () => Promise<void>) => Promise<T>): Promise<T>;
  bump(database: Database, names: readonly string[]): Promise<void>;
  read(database: Database): Promise<RevisionState>;
  /** Moves the revision of hosts for writers that could not, and takes their signs away. */
  forgetWriters(database: Database, signs: readonly string[]): Promise<void>;
  close(database: Database): Promise<void>;
}

/**
 * Revisions move after the change and before it is acknowledged, so that a reader of a revision and then the data never keeps old
 * data under a new number. A writer that dies in between would leave caches stale for ever; moving the number before the change
 * as well would not help those who read between the two. A writer therefore first puts up a sign that expires by itself: a reader
 * of revisions that finds an expired one moves the revision in the dead writer's place. The sign stays while the node continues
 * to write, so that it costs a round trip every few seconds, not one a call. One batch may take longer than that: the sign is
 * renewed in the meantime.
 */
export function createRevisionKeeper(leaseMs: number, logger: Logger): RevisionKeeper {
  let active = 0;
  let sign: { readonly id: string; readonly renewAt: number } | undefined;
  let signing: Promise<void> | undefined;
  let resting: NodeJS.Timeout | undefined;
  let renewing: NodeJS.Timeout | undefined;
  let due = new Set<string>();
  /** Revisions that could not be moved; the next call that reaches the database does it. */
  const owed = new Set<string>();
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function announce(database: Database): Promise<void> {
    renewing ??= setInterval(() => void renewSign(database), leaseMs / 3).unref();
    if (sign !== undefined && performance.now() < sign.renewAt) return;
    await signOnce(database);
  }

  /**
   * Those who come while it is being put up share that when it succeeds. Where it fails, or takes so long that it may never be answered, it may have
   * been asked for long before they came: they ask again, together.
   */
  async function signOnce(database: Database): Promise<void> {
    const before = signing;
    if (before !== undefined && (await succeedsSoon(before))) return;
    if (signing === undefined || signing === before) {
      const attempt = putUpSign(database).finally(() => {
        if (signing === attempt) signing = undefined;
      });
      signing = attempt;
    }
    await signing;
  }

  async function putUpSign(database: Database): Promise<void> {
    const id = sign?.id ?? `writer/${new ObjectId().toHexString()}`;
    const renewAt = performance.now() + leaseMs / 2;
    const until = { $add: [SERVER_NOW, leaseMs] };
    await database.control.updateOne({ _id: id }, [{ $set: { kind: 'writer', until } }], { upsert: true });
    sign = { id, renewAt };
  }

  async function renewSign(database: Database): Promise<void> {
    if (active === 0) return stopRenewing();
    if (sign === undefined) return;
    try {
      await signOnce(database);
    } catch (error) {
      // One that ran out costs others a needless revision.
      logger.debug('A sign of writing could not be renewed', { error });
    }
  }

  function stopRenewing(): void {
    clearInterval(renewing);
    renewing = undefined;
  }

  async function takeDownSign(database: Database): Promise<void> {
    if (sign === undefined || active > 0 || owed.size > 0) return;
    const { id } = sign;
    sign = undefined;
    await database.control.deleteOne({ _id: id });
  }

  function restSoon(database: Database): void {
    clearTimeout(resting);
    resting = setTimeout(() => {
      // A sign that stays runs out and costs one needless revision.
      takeDownSign(database).catch((error) => logger.debug('A sign of writing could not be taken down', { error }));
    }, leaseMs / 3).unref();
  }

  async function flush(database: Database): Promise<void> {
    const names = [...new Set([...due, ...owed])];
    if (names.length === 0) return;
    due = new Set();
    try {
      await increment(database, names);
      for (const name of names) owed.delete(name);
    } catch (error) {
      for (const name of names) owed.add(name);
      throw error;
    }
  }

  /** One is under way, and those who come meanwhile share the next one. It waits no longer for one that may never be answered. */
  function flushSoon(database: Database): Promise<void> {
    if (running === undefined) return flushNow(database);
    next ??= succeedsSoon(running).then(() => {
      next = undefined;
      return flushNow(database);
    });
    return next;
  }

  function flushNow(database: Database): Promise<void> {
    const attempt = flush(database).finally(() => {
      if (running === attempt) running = undefined;
    });
    running = attempt;
    return attempt;
  }

  function bump(database: Database, names: readonly string[]): Promise<void> {
    for (const name of names) due.add(name);
    return flushSoon(database);
  }

  return {
    async changingHosts(database, work) {
      let announced = false;
      active++;
      try {
        const result = await work(async () => {
          await announce(database);
          announced = true;
        });
        if (announced) await bump(database, ['hosts']);
        return result;
      } catch (error) {
        // The caller learns at once that the database is away. Other nodes find the sign when it expires.
        if (announced) {
          bump(database, ['hosts']).catch(() => logger.debug('The revision of hosts could not be moved yet'));
        }
        throw error;
      } finally {
        active--;
        if (sign !== undefined && active === 0) restSoon(database);
      }
    },

    bump,

    async read(database) {
      if (owed.size > 0) await flushSoon(database);
      return readState(database);
    },

    async forgetWriters(database, signs) {
      await bump(database, ['hosts']);
      await database.control.deleteMany({ _id: { $in: [...signs] } });
    },

    async close(database) {
      clearTimeout(resting);
      stopRenewing();
      await running?.catch(() => undefined);
      if (owed.size > 0) await flushSoon(database);
      await takeDownSign(database);
    },
  };
}

async function succeedsSoon(attempt: Promise<void>): Promise<boolean> {
  const late = new AbortController();
  const isDone = attempt.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([isDone, sleep(LONGEST_SHARED_MS, false, { signal: late.signal })]);
  } finally {
    late.abort();
  }
}

async function increment(database: Database, names: readonly string[]): Promise<void> {
  try {
    await database.control.bulkWrite(names.map(incrementOf));
  } catch (error) {
    // Two nodes gave the revision its first number at the same moment.
    if (!isDuplicateKey(error)) throw error;
    await database.control.bulkWrite(names.map(incrementOf));
  }
}

export function incrementOf(name: string): AnyBulkWriteOperation<ControlDoc> {
  return {
    updateOne: { filter: { _id: name }, update: { $inc: { n: 1 }, $set: { kind: 'revision' } }, upsert: true },
  };
}

/** Whether one of the revisions has another value by now. */
export async function hasMoved(database: Database, basis: ReadonlyMap<string, number>): Promise<boolean> {
  if (basis.size === 0) return false;
  const docs = await database.control.find({ _id: { $in: [...basis.keys()] } }, { projection: { n: 1 } }).toArray();
  const present = new Map(docs.map(({ _id, n = 0 }) => [_id, n]));
  return [...basis].some(([name, value]) => (present.get(name) ?? 0) !== value);
}

interface ControlView {
  readonly _id: string;
  readonly kind: ControlDoc['kind'];
  readonly n?: number;
  readonly expired: boolean;
  readonly planned: boolean;
}

async function readState(database: Database): Promise<RevisionState> {
  const isMissing = (field: string) => ({ $eq: [{ $type: field }, 'missing'] });
  const docs = await database.control
    .aggregate<ControlView>([
      {
        $project: {
          kind: 1,
          n: 1,
          expired: { $and: [{ $not: [isMissing('$until')] }, { $lte: ['$until', SERVER_NOW] }] },
          planned: { $not: [isMissing('$plan')] },
        },
      },
    ])
    .toArray();
  const revisions = new Map<string, number>();
  for (const doc of docs) if (doc.kind === 'revision' && doc.n !== undefined) revisions.set(doc._id, doc.n);
  return {
    revisions,
    abandoned: docs.filter((doc) => doc.kind === 'writer' && doc.expired).map((doc) => doc._id),
    promisedPlan: docs.some((doc) => doc.kind === 'lease' && doc.planned),
    unfinishedPlan: docs.some((doc) => doc.kind === 'lease' && doc.expired && doc.planned),
  };
}
