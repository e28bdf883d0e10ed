import type { Clock, OutboxState, OutboxStore } from '../../../ports/index.ts';
import { NO_OUTBOX_MESSAGES, toOutboxMessage } from '../shared/outbox.ts';
import type { Connection } from './connection.ts';
import { OUTBOX_COLUMNS, type OutboxRow } from './rows.ts';
import type { WriterClient } from './writer-client.ts';

/**
 * A single job of the writer thread decides which caller gets a message, so other threads and processes on the file see it whole.
 */
export function sqliteOutbox(read: () => Connection, writer: () => WriterClient, clock: Clock): OutboxStore {
  const now = () => clock.now().getTime();
  return {
    put({ messages, mark }) {
      const given = messages.map((message) => ({ ...message, at: message.at.getTime() }));
      return writer().call('putOutbox', { messages: given, mark: mark ?? null });
    },
    async mark(name) {
      return read().getRaw<[string]>('SELECT text FROM outbox_marks WHERE name = ?', name)?.[0];
    },
    async newest(topic) {
      const sql = `SELECT ${OUTBOX_COLUMNS} FROM outbox WHERE topic = ? AND state <> 'held_back' ORDER BY place DESC LIMIT 1`;
      const row = read().get<OutboxRow>(sql, topic);
      return row === undefined ? undefined : toOutboxMessage(row);
    },
    async claim({ holder, leaseMs }) {
      const moment = now();
      const row = await writer().call('claimOutbox', { holder, now: moment, leaseUntil: moment + leaseMs });
      return row === null ? undefined : toOutboxMessage(row);
    },
    settle: ({ id, holder, outcome }) => writer().call('settleOutbox', { id, holder, outcome, now: now() }),
    retry: (id) => writer().call('retryOutbox', id),
    async list({ limit, state, receiver, before = Number.MAX_SAFE_INTEGER }) {
      const wanted = [
        ...(state === undefined ? [] : [{ sql: 'state = ?', value: state }]),
        ...(receiver === undefined ? [] : [{ sql: 'receiver = ?', value: receiver }]),
        { sql: 'place < ?', value: before },
      ];
      const where = wanted.map(({ sql }) => sql).join(' AND ');
      const sql = `SELECT ${OUTBOX_COLUMNS} FROM outbox WHERE ${where} ORDER BY place DESC LIMIT ?`;
      return read()
        .all<OutboxRow>(sql, ...wanted.map(({ value }) => value), limit)
        .map(toOutboxMessage);
    },
    async counts() {
      const rows = read().allRaw<[OutboxState, number]>('SELECT state, count(*) FROM outbox GROUP BY state');
      return { ...NO_OUTBOX_MESSAGES, ...Object.fromEntries(rows) };
    },
    async backlog() {
      const of = (state: OutboxState) =>
        read().getRaw<[number, number | null]>('SELECT count(*), min(at) FROM outbox WHERE state = ?', state);
      const [waiting, oldest] = of('waiting') ?? [0, null];
      const [dead] = of('dead') ?? [0];
      return { waiting, dead, oldestWaitingAt: oldest === null ? null : new Date(oldest) };
    },
    prune: (before) => writer().call('pruneOutbox', before.getTime()),
  };
}
