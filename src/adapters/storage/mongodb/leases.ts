import { type Collection, ObjectId } from 'mongodb';
import { AppError } from '../../../ports/index.ts';
import type { ControlDoc } from './control-documents.ts';
import { isDuplicateKey, unavailable } from './errors.ts';
import { pause } from './pause.ts';

export interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly token: number;
  /** The plan that the previous holder left unfinished. */
  readonly plan: ControlDoc['plan'];
}

interface Terms {
  /** How long the lease outlives a holder that died. */
  readonly leaseMs: number;
  /** How long to wait for it; `Infinity`: as long as it has a live holder. */
  readonly timeoutMs: number;
  /** Called every few seconds while another holder has it. */
  readonly waits?: () => void;
}

/** How often a waiting caller is notified. */
export const REPORT_EVERY_MS = 5_000;
const TAKEN_OVER = 'This node was too slow and another one took over. Try again.';

/** Milliseconds of the server's clock, inside of a pipeline. */
export const SERVER_NOW = { $toLong: '$$NOW' };

/** Waits for the lease and takes it. */
export async function takeLease(control: Collection<ControlDoc>, name: string, terms: Terms): Promise<Lease> {
  const holder = new ObjectId().toHexString();
  const deadline = performance.now() + terms.timeoutMs;
  let reportAt = performance.now() + Math.min(REPORT_EVERY_MS, terms.leaseMs / 2);
  for (let attempt = 0; performance.now() < deadline; attempt++) {
    const doc = await tryLease(control, name, holder, terms.leaseMs);
    if (doc?.holder === holder) return { name, holder, token: doc.token ?? 0, plan: doc.plan };
    if (performance.now() >= reportAt) {
      terms.waits?.();
      reportAt = performance.now() + REPORT_EVERY_MS;
    }
    await pause(attempt, 100);
  }
  throw unavailable('Another node has been changing the same thing for a long time. Try again shortly.');
}

async function tryLease(
  control: Collection<ControlDoc>,
  name: string,
  holder: string,
  leaseMs: number,
): Promise<ControlDoc | null> {
  const free = { $or: [{ $eq: [{ $type: '$until' }, 'missing'] }, { $lte: ['$until', SERVER_NOW] }] };
  const whenFree = (value: unknown, field: string) => ({ $cond: [free, value, field] });
  try {
    // `holder` and `token` come first: all expressions of one stage see the document as it was.
    return await control.findOneAndUpdate(
      { _id: name },
      [
        {
          $set: {
            kind: 'lease',
            holder: whenFree(holder, '$holder'),
            token: whenFree({ $add: [{ $ifNull: ['$token', 0] }, 1] }, '$token'),
            until: whenFree({ $add: [SERVER_NOW, leaseMs] }, '$until'),
          },
        },
      ],
      { upsert: true, returnDocument: 'after' },
    );
  } catch (error) {
    // Two nodes created the document at the same moment.
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}

/** Extends a lease during long work. Throws if it has another holder by now. */
export async function keepLease(control: Collection<ControlDoc>, lease: Lease, leaseMs: number): Promise<void> {
  const kept = await control.updateOne({ _id: lease.name, holder: lease.holder }, [
    { $set: { until: { $add: [SERVER_NOW, leaseMs] } } },
  ]);
  if (kept.matchedCount === 0) throw unavailable(TAKEN_OVER);
}

export async function freeLease(control: Collection<ControlDoc>, lease: Lease): Promise<void> {
  await control.updateOne({ _id: lease.name, holder: lease.holder }, { $set: { until: 0 } });
}

async function withLease<T>(
  control: Collection<ControlDoc>,
  name: string,
  terms: Terms,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const lease = await takeLease(control, name, terms);
  try {
    return await work(lease);
  } finally {
    await freeLease(control, lease);
  }
}

/** The state of a lease that is extended while work lasts, as passed to that work. */
export interface KeptLease {
  /** Aborted as soon as another node has the lease, or may have it because nothing was heard of the database for as long as it lasts. */
  readonly lost: AbortSignal;
  /** Asks the database, and throws `unavailable` when the lease is lost: called before each step that only its holder may take. */
  readonly held: () => Promise<void>;
}

/**
 * For work of unknown duration: the lease is extended until it is done. Fails with `unavailable` if it was lost to another node,
 * even if the work itself succeeded.
 */
export function withKeptLease<T>(
  control: Collection<ControlDoc>,
  name: string,
  terms: Terms,
  work: (kept: KeptLease) => Promise<T>,
): Promise<T> {
  return withLease(control, name, terms, async (lease) => {
    const lost = new AbortController();
    let keptAt = performance.now();
    const held = async (): Promise<void> => {
      lost.signal.throwIfAborted();
      const askedAt = performance.now();
      try {
        await keepLease(control, lease, terms.leaseMs);
        keptAt = askedAt;
      } catch (error) {
        if (error instanceof AppError) lost.abort(error);
        throw error;
      }
    };
    // A lengthening that fails is tried again by the next one; the lease outlives two of them.
    const keeping = setInterval(() => {
      if (performance.now() - keptAt >= terms.leaseMs) lost.abort(unavailable(TAKEN_OVER));
      held().catch(() => undefined);
    }, terms.leaseMs / 3);
    try {
      const result = await work({ lost: lost.signal, held });
      lost.signal.throwIfAborted();
      return result;
    } catch (error) {
      throw lost.signal.aborted ? lost.signal.reason : error;
    } finally {
      clearInterval(keeping);
    }
  });
}
