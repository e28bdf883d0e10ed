import type { ActiveRun, ActiveRunStore } from '../../../ports/index.ts';
import {
  inOrder,
  keptRun,
  newActiveRun,
  runInTheWay,
  type StoredActiveRun,
  toActiveRun,
} from '../shared/active-run.ts';
import type { ActiveRunsDoc } from './documents.ts';
import { isDuplicateKey, unavailable } from './errors.ts';
import { SERVER_NOW } from './leases.ts';
import { pause } from './pause.ts';
import type { Context, Session } from './session.ts';

/** Beyond what meets when a hundred begin at once. */
const MOST_ATTEMPTS = 1000;

type ReadRuns = ActiveRunsDoc & { readonly now: number };

/** The new runs of an account according to a decision; without `runs` they stay. */
interface Decided<T> {
  readonly runs?: StoredActiveRun[];
  readonly answer: T;
}

/**
 * Current runs of accounts, one document per account. A write is decided from what was read and done if the document was not
 * written in the meantime, else decided again; only the server's clock determines whether a lease lasts.
 */
export function mongodbActiveRuns(session: Session): ActiveRunStore {
  const change = <T>(accountId: string, decide: (runs: readonly StoredActiveRun[], now: number) => Decided<T>) =>
    session.run((context) => changeRuns(context, accountId, decide));

  return {
    begin: (start) =>
      change(start.accountId, (runs, now) => {
        const going = runs.filter(({ leaseUntil }) => leaseUntil > now);
        const other = runInTheWay(going, start);
        if (other !== undefined) return { answer: toActiveRun(other) };
        return { runs: [...going, newActiveRun(start, now)], answer: undefined };
      }),

    keep: ({ id, accountId, leaseMs, progress }) =>
      change(accountId, (runs, now) => {
        const run = runs.find((each) => each.id === id);
        if (run === undefined) return { answer: 'ended' };
        const kept = keptRun(run, now + leaseMs, progress);
        return { runs: replaced(runs, kept), answer: run.cancelRequested ? 'cancel' : 'kept' };
      }),

    end: ({ id, accountId }) =>
      change(accountId, (runs) => {
        const others = runs.filter((each) => each.id !== id);
        return others.length === runs.length ? { answer: false } : { runs: others, answer: true };
      }),

    requestCancel: ({ id, accountId }) =>
      change(accountId, (runs, now) => {
        const run = runs.find((each) => each.id === id && each.leaseUntil > now);
        if (run === undefined) return { answer: false };
        return { runs: replaced(runs, { ...run, cancelRequested: true }), answer: true };
      }),

    list: () => session.run((context) => allRuns(context, ({ leaseUntil }, now) => leaseUntil > now)),
    lapsed: () => session.run((context) => allRuns(context, ({ leaseUntil }, now) => leaseUntil <= now)),
  };
}

async function allRuns(
  { database: { activeRuns } }: Context,
  isMeant: (run: StoredActiveRun, now: number) => boolean,
): Promise<readonly ActiveRun[]> {
  const docs = await activeRuns.aggregate<ReadRuns>([{ $addFields: { now: SERVER_NOW } }]).toArray();
  return inOrder(docs.flatMap(({ runs, now }) => runs.filter((run) => isMeant(run, Number(now)))));
}

function replaced(runs: readonly StoredActiveRun[], run: StoredActiveRun): StoredActiveRun[] {
  return runs.map((each) => (each.id === run.id ? run : each));
}

async function changeRuns<T>(
  { database: { activeRuns } }: Context,
  accountId: string,
  decide: (runs: readonly StoredActiveRun[], now: number) => Decided<T>,
): Promise<T> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    // Only the server knows the time, and it returns it with a document.
    await activeRuns
      .updateOne({ _id: accountId }, { $setOnInsert: { n: 0, runs: [] } }, { upsert: true })
      .catch(ignored);
    const stages = [{ $match: { _id: accountId } }, { $addFields: { now: SERVER_NOW } }];
    const [doc] = await activeRuns.aggregate<ReadRuns>(stages).toArray();
    if (doc === undefined) continue;
    const { runs, answer } = decide(doc.runs, Number(doc.now));
    if (runs === undefined) return answer;
    const written = await activeRuns.updateOne({ _id: accountId, n: doc.n }, { $set: { runs, n: doc.n + 1 } });
    if (written.matchedCount === 1) return answer;
    await pause(attempt, 50);
  }
  throw unavailable('Others have been changing what runs for this account for a long time. Try again shortly.');
}

/** Ignores that another caller created the document at the same moment. */
function ignored(error: unknown): void {
  if (!isDuplicateKey(error)) throw error;
}
