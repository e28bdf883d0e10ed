import type { ActiveRun, ActiveRunStore, RecordStore } from '../../../ports/index.ts';
import {
  inOrder,
  keptRun,
  newActiveRun,
  runInTheWay,
  type StoredActiveRun,
  toActiveRun,
} from '../shared/active-run.ts';
import { type Decision, RecordKind } from './record-kind.ts';

/** All runs of an account are one record, so that of many who begin at once one succeeds. */
interface RunsOfAccount {
  readonly accountId: string;
  readonly runs: readonly StoredActiveRun[];
}

/** Accounts read at once. */
const PAGE = 500;

export function recordedActiveRuns(records: () => RecordStore): ActiveRunStore {
  const kind = new RecordKind<RunsOfAccount>(records, { name: 'active_runs', key: ({ accountId }) => accountId });

  const withRuns = <Answer>(
    accountId: string,
    runs: readonly StoredActiveRun[],
    answer: Answer,
  ): Decision<RunsOfAccount, Answer> => ({ answer, put: runs.length === 0 ? null : { accountId, runs } });

  async function all(isMeant: (run: StoredActiveRun, now: number) => boolean): Promise<readonly ActiveRun[]> {
    const found: StoredActiveRun[] = [];
    const now = await kind.now();
    for await (const page of kind.pages({ limit: PAGE }))
      found.push(...page.flatMap(({ item }) => item.runs.filter((run) => isMeant(run, now))));
    return inOrder(found);
  }

  return {
    begin: (start) =>
      kind.change(start.accountId, (present, now): Decision<RunsOfAccount, ActiveRun | undefined> => {
        const going = (present?.runs ?? []).filter(({ leaseUntil }) => leaseUntil > now);
        const other = runInTheWay(going, start);
        if (other !== undefined) return { answer: toActiveRun(other) };
        return withRuns(start.accountId, [...going, newActiveRun(start, now)], undefined);
      }),

    keep: ({ id, accountId, leaseMs, progress }) =>
      kind.change(accountId, (present, now): Decision<RunsOfAccount, 'kept' | 'cancel' | 'ended'> => {
        const run = present?.runs.find((each) => each.id === id);
        if (present === undefined || run === undefined) return { answer: 'ended' };
        const kept = keptRun(run, now + leaseMs, progress);
        const runs = present.runs.map((each) => (each === run ? kept : each));
        return withRuns(accountId, runs, run.cancelRequested ? 'cancel' : 'kept');
      }),

    end: ({ id, accountId }) =>
      kind.change(accountId, (present): Decision<RunsOfAccount, boolean> => {
        const left = present?.runs.filter((run) => run.id !== id) ?? [];
        if (left.length === (present?.runs.length ?? 0)) return { answer: false };
        return withRuns(accountId, left, true);
      }),

    requestCancel: ({ id, accountId }) =>
      kind.change(accountId, (present, now): Decision<RunsOfAccount, boolean> => {
        const run = present?.runs.find((each) => each.id === id && each.leaseUntil > now);
        if (present === undefined || run === undefined) return { answer: false };
        const runs = present.runs.map((each) => (each === run ? { ...run, cancelRequested: true } : each));
        return withRuns(accountId, runs, true);
      }),

    list: () => all(({ leaseUntil }, now) => leaseUntil > now),

    lapsed: () => all(({ leaseUntil }, now) => leaseUntil <= now),
  };
}
