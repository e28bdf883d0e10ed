import type { Clock, CronStore } from '../../../ports/index.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import type { Connection } from './connection.ts';
import { CRON_COLUMNS, type CronRow, toCronState } from './rows.ts';
import type { WriterClient } from './writer-client.ts';

/** Every decision is one statement of the writer thread, so other threads and processes on the file see it whole. */
export function sqliteCron(read: () => Connection, writer: () => WriterClient, clock: Clock): CronStore {
  const now = () => clock.now().getTime();
  return {
    async states() {
      const moment = now();
      return read()
        .all<CronRow>(`SELECT ${CRON_COLUMNS} FROM cron_states ORDER BY group_id`)
        .map((row) => toCronState(row, moment));
    },
    claim: async ({ at, seenStart, ...claim }) =>
      writer().call('claimGroup', {
        ...claim,
        at: at.getTime(),
        seenStart: seenStart?.getTime() ?? null,
        now: now(),
      }),
    keep: async (request) => writer().call('keepGroup', { ...request, now: now() }),
    async finish({ at, message, ...end }) {
      const sent = { ...end, at: at.getTime(), message: wellFormed(message) };
      return writer().call('finishGroup', sent, 1, message.length);
    },
    release: async (request) => writer().call('releaseGroup', { ...request, now: now() }),
    retain: async (groupIds) => writer().call('retainGroups', { groupIds, now: now() }),
  };
}
