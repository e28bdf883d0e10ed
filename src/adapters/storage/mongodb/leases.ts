import { type Collection, ObjectId } from 'mongodb';
import type { ControlDoc } from './control-documents.ts';
import { isDuplicateKey, unavailable } from './errors.ts';
import { pause } from './pause.ts';

export interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly token: number;
  /** What the holder before left undone. */
  readonly plan: ControlDoc['plan'];
}

interface Terms {
  /** How long the lease outlives a holder that died. */
  readonly leaseMs: number;
  /** How long to wait for it; `Infinity`: as long as somebody lives who has it. */
  readonly patienceMs: number;
  /** Called every few seconds while somebody else has it. */
  readonly waits?: () => void;
}

const TOLD_EVERY_MS = 5_000;

/** Milliseconds of the server's clock, inside of a pipeline. */
export const SERVER_NOW = { $toLong: '$$NOW' };

/** Waits for the lease and takes it. */
export async function takeLease(control: Collection<ControlDoc>, name: string, terms: Terms): Promise<Lease> {
  const holder = new ObjectId().toHexString();
  const deadline = performance.now() + terms.patienceMs;
  let tellAt = performance.now() + Math.min(TOLD_EVERY_MS, terms.leaseMs / 2);
  for (let attempt = 0; performance.now() < deadline; attempt++) {
    const doc = await tryLease(control, name, holder, terms.leaseMs);
    if (doc?.holder === holder) return { name, holder, token: doc.token ?? 0, plan: doc.plan };
    if (performance.now() >= tellAt) {
      terms.waits?.();
      tellAt = performance.now() + TOLD_EVERY_MS;
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

/** Lengthens a lease during long work. Throws when somebody else has it by now. */
export async function keepLease(control: Collection<ControlDoc>, lease: Lease, leaseMs: number): Promise<void> {
  const kept = await control.updateOne({ _id: lease.name, holder: lease.holder }, [
    { $set: { until: { $add: [SERVER_NOW, leaseMs] } } },
  ]);
  if (kept.matchedCount === 0) throw unavailable('This node was too slow and another one took over. Try again.');
}

export async function freeLease(control: Collection<ControlDoc>, lease: Lease): Promise<void> {
  await control.updateOne({ _id: lease.name, holder: lease.holder }, { $set: { until: 0 } });
}

export async function withLease<T>(
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

/** For work of which nobody knows how long it lasts: the lease is lengthened until it is done. */
export function withKeptLease<T>(
  control: Collection<ControlDoc>,
  name: string,
  terms: Terms,
  work: () => Promise<T>,
): Promise<T> {
  return withLease(control, name, terms, async (lease) => {
    // A lengthening that fails is tried again by the next one; the lease outlives two of them.
    const keeping = setInterval(
      () => void keepLease(control, lease, terms.leaseMs).catch(() => undefined),
      terms.leaseMs / 3,
    );
    try {
      return await work();
    } finally {
      clearInterval(keeping);
    }
  });
}
