import type { NewOutboxMessage, OutboxMark, OutboxOutcome } from '../../../../ports/index.ts';
import {
  claimable,
  newOutboxMessage,
  retriedMessage,
  type StoredOutboxMessage,
  settledMessage,
} from '../../shared/outbox.ts';
import { wellFormed } from '../../shared/utf8-order.ts';
import { OUTBOX_COLUMNS, type OutboxRow } from '../rows.ts';
import type { WriteContext } from './context.ts';

/** Messages for receivers. Times are milliseconds; `now` is the clock of the storage that called. */

const COLUMNS = 'place, id, receiver, topic, at, state, body, attempts, due_at, error, settled_at, holder, lease_until';
const BY_ID = `SELECT ${OUTBOX_COLUMNS} FROM outbox WHERE id = ?`;

export interface PutOutboxMessage {
  readonly messages: readonly (Omit<NewOutboxMessage, 'at'> & { readonly at: number })[];
  readonly mark: OutboxMark | null;
}

export function putOutbox({ connection }: WriteContext, { messages, mark }: PutOutboxMessage): number {
  let place = lastPlace(connection);
  let fresh = 0;
  for (const message of messages) {
    const stored = newOutboxMessage({ ...message, at: new Date(message.at) }, place + 1);
    if (connection.run(`INSERT OR IGNORE INTO outbox (${COLUMNS}) VALUES (${marks()})`, ...values(stored)) === 0)
      continue;
    place++;
    fresh++;
  }
  notePlace(connection, place);
  if (mark !== null) {
    const sql =
      'INSERT INTO outbox_marks (name, text) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET text = excluded.text';
    connection.run(sql, mark.name, wellFormed(mark.text));
  }
  return fresh;
}

export interface ClaimOutboxMessage {
  readonly holder: string;
  readonly now: number;
  readonly leaseUntil: number;
}

export function claimOutbox(
  { connection }: WriteContext,
  { holder, now, leaseUntil }: ClaimOutboxMessage,
): StoredOutboxMessage | null {
  const heads = connection.all<OutboxRow>(
    `SELECT ${OUTBOX_COLUMNS} FROM outbox WHERE place IN (SELECT min(place) FROM outbox WHERE state = 'waiting' GROUP BY receiver)`,
  );
  const message = claimable(heads, now);
  if (message === undefined) return null;
  connection.run('UPDATE outbox SET holder = ?, lease_until = ? WHERE id = ?', holder, leaseUntil, message.id);
  return message;
}

export interface SettleOutboxMessage {
  readonly id: string;
  readonly holder: string;
  readonly outcome: OutboxOutcome;
  readonly now: number;
}

export function settleOutbox({ connection }: WriteContext, { id, holder, outcome, now }: SettleOutboxMessage): boolean {
  const message = connection.get<OutboxRow>(BY_ID, id);
  if (message === undefined || message.state !== 'waiting' || message.holder !== holder) return false;
  replace(connection, settledMessage(message, outcome, now));
  return true;
}

export function retryOutbox({ connection }: WriteContext, id: string): boolean {
  const message = connection.get<OutboxRow>(BY_ID, id);
  if (message?.state !== 'dead') return false;
  const place = lastPlace(connection) + 1;
  notePlace(connection, place);
  replace(connection, retriedMessage(message, place));
  return true;
}

export function pruneOutbox({ connection }: WriteContext, before: number): number {
  return connection.run("DELETE FROM outbox WHERE at < ? AND state <> 'waiting'", before);
}

type Connection = WriteContext['connection'];

/** Places are never given twice, also when the newest message is deleted. */
const PLACE = ' place';

function lastPlace(connection: Connection): number {
  return Number(connection.getRaw<[string]>('SELECT text FROM outbox_marks WHERE name = ?', PLACE)?.[0] ?? 0);
}

function notePlace(connection: Connection, place: number): void {
  const sql =
    'INSERT INTO outbox_marks (name, text) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET text = excluded.text';
  connection.run(sql, PLACE, String(place));
}

function replace(connection: Connection, message: StoredOutboxMessage): void {
  connection.run('DELETE FROM outbox WHERE id = ?', message.id);
  connection.run(`INSERT INTO outbox (${COLUMNS}) VALUES (${marks()})`, ...values(message));
}

function marks(): string {
  return COLUMNS.split(',')
    .map(() => '?')
    .join(', ');
}

function values(message: StoredOutboxMessage): (string | number | null)[] {
  const { place, id, receiver, topic, at, state, body, attempts, dueAt, error, settledAt, holder, leaseUntil } =
    message;
  return [place, id, receiver, topic, at, state, body, attempts, dueAt, error, settledAt, holder, leaseUntil];
}
