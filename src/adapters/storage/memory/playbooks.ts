import type { Clock, PlaybookMatch, PlaybookRun, PlaybookStore } from '../../../ports/index.ts';
import { transferKey } from '../shared/transfer-key.ts';
import { compareUtf8, wellFormed } from '../shared/utf8-order.ts';
import type { MemoryState, StoredPlaybookRun } from './state.ts';

export function memoryPlaybooks(state: () => MemoryState, clock: Clock): PlaybookStore {
  const now = () => clock.now().getTime();

  function change(id: string, changed: Partial<StoredPlaybookRun>): StoredPlaybookRun | undefined {
    const run = state().playbookRuns.get(id);
    if (run?.status !== 'running') return undefined;
    state().playbookRuns.set(id, { ...run, ...changed });
    return run;
  }

  return {
    async begin({ leaseMs, startedAt, ...run }) {
      state().playbookRuns.set(run.id, {
        ...run,
        startedBy: wellFormed(run.startedBy),
        startedAt: startedAt.getTime(),
        endedAt: null,
        status: 'running',
        exitCode: null,
        message: '',
        output: '',
        leaseUntil: now() + leaseMs,
        cancelRequested: false,
      });
    },

    async keep({ id, leaseMs, output }) {
      const told = output === undefined ? {} : { output: wellFormed(output) };
      const run = change(id, { leaseUntil: now() + leaseMs, ...told });
      if (run === undefined) return 'ended';
      return run.cancelRequested ? 'cancel' : 'kept';
    },

    async end({ id, at, status, exitCode, message, output }) {
      const texts = { message: wellFormed(message), output: wellFormed(output) };
      return change(id, { endedAt: at.getTime(), status, exitCode, ...texts }) !== undefined;
    },

    async requestCancel(id) {
      const run = state().playbookRuns.get(id);
      if (run === undefined) return 'not_found';
      if (run.status !== 'running' || run.leaseUntil <= now()) return 'not_running';
      change(id, { cancelRequested: true });
      return 'requested';
    },

    async find(id) {
      const run = state().playbookRuns.get(id);
      return run === undefined ? undefined : { ...toRun(run, now()), output: run.output };
    },

    async latest({ limit, before }) {
      const moment = now();
      return [...state().playbookRuns.values()]
        .filter((run) => before === undefined || isNewer({ ...before, startedAt: before.startedAt.getTime() }, run))
        .sort((left, right) => (isNewer(left, right) ? -1 : 1))
        .slice(0, Math.max(limit, 0))
        .map((run) => toRun(run, moment));
    },

    async prune(before) {
      const moment = now();
      let count = 0;
      for (const run of state().playbookRuns.values()) {
        if (run.startedAt >= before.getTime() || statusOf(run, moment) === 'running') continue;
        state().playbookRuns.delete(run.id);
        count++;
      }
      return count;
    },

    async *matches(batchSize) {
      const keys = [...state().playbookMatches.keys()].sort(compareUtf8);
      for (let from = 0; from < keys.length; from += batchSize) {
        const batch = keys.slice(from, from + batchSize).flatMap((key) => state().playbookMatches.get(key) ?? []);
        if (batch.length > 0) yield batch.map(({ since, ...match }) => ({ ...match, since: new Date(since) }));
      }
    },

    async remember({ since, ...match }) {
      const key = keyOf(match);
      if (state().playbookMatches.has(key)) return false;
      state().playbookMatches.set(key, { ...match, since: since.getTime() });
      return true;
    },

    async forget(matches) {
      return matches.filter((match) => state().playbookMatches.delete(keyOf(match))).length;
    },
  };
}

function keyOf({ hostname, ruleId, playbook }: PlaybookMatch): string {
  return transferKey(hostname, ruleId, playbook);
}

type Start = Pick<StoredPlaybookRun, 'id' | 'startedAt'>;

function isNewer(left: Start, right: Start): boolean {
  if (left.startedAt !== right.startedAt) return left.startedAt > right.startedAt;
  return left.id > right.id;
}

function statusOf({ status, leaseUntil }: StoredPlaybookRun, now: number): PlaybookRun['status'] {
  return status === 'running' && leaseUntil <= now ? 'lost' : status;
}

function toRun(stored: StoredPlaybookRun, now: number): PlaybookRun {
  const { leaseUntil, cancelRequested, output, ...run } = stored;
  return {
    ...run,
    startedAt: new Date(run.startedAt),
    endedAt: run.endedAt === null ? null : new Date(run.endedAt),
    status: statusOf(stored, now),
  };
}
