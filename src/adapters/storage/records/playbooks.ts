import type { PlaybookMatch, PlaybookRun, PlaybookStore, RecordStore } from '../../../ports/index.ts';
import { transferKey } from '../shared/transfer-key.ts';
import type { TransferItem } from '../shared/transfer-table.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import { type Decision, type Kept, RecordKind, timeKey } from './record-kind.ts';

/** A run without what it printed, which listings do not read. */
export interface StoredPlaybookRun extends Omit<TransferItem<'playbook_runs'>, 'output'> {
  readonly leaseUntil: number;
  readonly cancelRequested: boolean;
}

export interface StoredOutput {
  readonly id: string;
  readonly output: string;
}

export type StoredMatch = TransferItem<'playbook_matches'>;

export function playbookRunKind(records: () => RecordStore): RecordKind<StoredPlaybookRun> {
  return new RecordKind<StoredPlaybookRun>(records, {
    name: 'playbook_runs',
    key: ({ id }) => id,
    sorts: [({ startedAt, id }) => `${timeKey(startedAt)}\u0000${id}`],
  });
}

export function playbookOutputKind(records: () => RecordStore): RecordKind<StoredOutput> {
  return new RecordKind<StoredOutput>(records, { name: 'playbook_outputs', key: ({ id }) => id });
}

export function playbookMatchKind(records: () => RecordStore): RecordKind<StoredMatch> {
  return new RecordKind<StoredMatch>(records, { name: 'playbook_matches', key: matchKey });
}

const STARTED = 0;
/** Runs read at once. */
const PAGE = 500;

export function recordedPlaybooks(records: () => RecordStore): PlaybookStore {
  const runs = playbookRunKind(records);
  const outputs = playbookOutputKind(records);
  const matches = playbookMatchKind(records);

  /** Changes a run that has not ended. */
  function changeRunning<Answer>(
    id: string,
    otherwise: Answer,
    decide: (run: StoredPlaybookRun, now: number) => Decision<StoredPlaybookRun, Answer>,
  ): Promise<Answer> {
    return runs.change(id, (run, now) => (run?.status === 'running' ? decide(run, now) : { answer: otherwise }));
  }

  return {
    async begin({ leaseMs, startedAt, ...run }) {
      const { now } = await runs.find(run.id);
      const begun = {
        ...run,
        startedBy: wellFormed(run.startedBy),
        startedAt: startedAt.getTime(),
        endedAt: null,
        status: 'running' as const,
        exitCode: null,
        message: '',
        leaseUntil: now + leaseMs,
        cancelRequested: false,
      };
      await records().write([runs.put(begun), outputs.put({ id: run.id, output: '' })]);
    },

    keep: ({ id, leaseMs, output }) =>
      changeRunning<'kept' | 'cancel' | 'ended'>(id, 'ended', (run, now) => ({
        answer: run.cancelRequested ? 'cancel' : 'kept',
        put: { ...run, leaseUntil: now + leaseMs },
        also: output === undefined ? [] : [outputs.put({ id, output })],
      })),

    end: ({ id, at, status, exitCode, message, output }) =>
      changeRunning(id, false, (run) => ({
        answer: true,
        put: { ...run, endedAt: at.getTime(), status, exitCode, message: wellFormed(message) },
        also: [outputs.put({ id, output })],
      })),

    requestCancel: (id) =>
      runs.change(id, (run, now): Decision<StoredPlaybookRun, 'requested' | 'not_running' | 'not_found'> => {
        if (run === undefined) return { answer: 'not_found' };
        if (statusOf(run, now) !== 'running') return { answer: 'not_running' };
        return { answer: 'requested', put: { ...run, cancelRequested: true } };
      }),

    async find(id) {
      const { now, kept } = await runs.find(id);
      if (kept === undefined) return undefined;
      const output = (await outputs.find(id)).kept?.item.output ?? '';
      return { ...toRun(kept.item, now), output };
    },

    async latest({ limit, before }) {
      const range = before && { before: `${timeKey(before.startedAt.getTime())}\u0000${before.id}` };
      const { now, items } = await runs.list({ by: STARTED, ...range, limit, descending: true });
      return items.map(({ item }) => toRun(item, now));
    },

    async prune(before) {
      const now = await runs.now();
      let count = 0;
      for await (const page of runs.pages({ by: STARTED, before: timeKey(before.getTime()), limit: PAGE })) {
        const old = page.filter(({ item }) => statusOf(item, now) !== 'running');
        for (const run of old) {
          const gone = { kind: outputs.name, key: run.key, value: null };
          if ((await records().write([runs.drop(run), gone])) !== null) count++;
        }
      }
      return count;
    },

    async *matches(batchSize) {
      for await (const page of matches.pages({ limit: batchSize }))
        yield page.map(({ item: { since, ...match } }) => ({ ...match, since: new Date(since) }));
    },

    async remember({ since, ...match }) {
      return (await records().write([matches.put({ ...match, since: since.getTime() }, null)])) !== null;
    },

    async forget(given) {
      const kept = await matches.findEach(given.map(matchKey));
      let count = 0;
      for (const match of kept.values()) if ((await records().write([matches.drop(match)])) !== null) count++;
      return count;
    },
  };
}

function matchKey({ hostname, ruleId, playbook }: PlaybookMatch): string {
  return transferKey(hostname, ruleId, playbook);
}

function statusOf({ status, leaseUntil }: StoredPlaybookRun, now: number): PlaybookRun['status'] {
  return status === 'running' && leaseUntil <= now ? 'lost' : status;
}

function toRun(stored: Kept<StoredPlaybookRun>['item'], now: number): PlaybookRun {
  const { leaseUntil: _, cancelRequested: __, startedAt, endedAt, ...run } = stored;
  return {
    ...run,
    startedAt: new Date(startedAt),
    endedAt: endedAt === null ? null : new Date(endedAt),
    status: statusOf(stored, now),
  };
}
