import type { ActiveRunStore, Clock } from '../../../ports/index.ts';
import { inOrder, newActiveRun, storedProgress, toActiveRun } from '../shared/active-run.ts';
import type { Connection } from './connection.ts';
import { ACTIVE_RUN_COLUMNS, type ActiveRunRow, toStoredRun } from './rows.ts';
import type { WriterClient } from './writer-client.ts';

/** A single job of the writer thread decides which runs may begin, so other threads and processes on the file see it whole. */
export function sqliteActiveRuns(read: () => Connection, writer: () => WriterClient, clock: Clock): ActiveRunStore {
  const now = () => clock.now().getTime();
  return {
    async begin(start) {
      const moment = now();
      const other = await writer().call('beginActiveRun', { run: newActiveRun(start, moment), now: moment });
      return other === null ? undefined : toActiveRun(other);
    },
    async keep({ id, leaseMs, progress }) {
      const stored = progress === undefined ? null : JSON.stringify(storedProgress(progress));
      return writer().call('keepActiveRun', { id, leaseUntil: now() + leaseMs, progress: stored });
    },
    end: async ({ id }) => writer().call('endActiveRun', id),
    requestCancel: async ({ id }) => writer().call('cancelActiveRun', { id, now: now() }),
    async list() {
      const sql = `SELECT ${ACTIVE_RUN_COLUMNS} FROM active_runs WHERE lease_until > ?`;
      return inOrder(read().all<ActiveRunRow>(sql, now()).map(toStoredRun));
    },
    async lapsed() {
      const sql = `SELECT ${ACTIVE_RUN_COLUMNS} FROM active_runs WHERE lease_until <= ?`;
      return inOrder(read().all<ActiveRunRow>(sql, now()).map(toStoredRun));
    },
  };
}
