import type { NewOutboxMessage, OutboxMessage, OutboxOutcome, OutboxState } from '../../../ports/index.ts';
import { wellFormed } from './utf8-order.ts';

/** A message as stores keep it: its times in milliseconds. */
export interface StoredOutboxMessage extends Omit<OutboxMessage, 'at' | 'dueAt' | 'settledAt'> {
  readonly at: number;
  readonly dueAt: number;
  readonly settledAt: number | null;
  /** The process that sends it, and until when; empty and 0 if there is none. */
  readonly holder: string;
  readonly leaseUntil: number;
}

export const NO_OUTBOX_MESSAGES: Readonly<Record<OutboxState, number>> = { waiting: 0, sent: 0, held_back: 0, dead: 0 };

export function newOutboxMessage(message: NewOutboxMessage, place: number): StoredOutboxMessage {
  const at = message.at.getTime();
  return {
    id: wellFormed(message.id),
    receiver: wellFormed(message.receiver),
    topic: wellFormed(message.topic),
    body: wellFormed(message.body),
    state: message.state,
    at,
    place,
    attempts: 0,
    dueAt: 0,
    error: '',
    settledAt: message.state === 'held_back' ? at : null,
    holder: '',
    leaseUntil: 0,
  };
}

export function settledMessage(message: StoredOutboxMessage, outcome: OutboxOutcome, now: number): StoredOutboxMessage {
  const waits = outcome.state === 'waiting';
  return {
    ...message,
    state: outcome.state,
    attempts: message.attempts + 1,
    error: outcome.state === 'sent' ? '' : wellFormed(outcome.error),
    dueAt: waits ? now + outcome.delayMs : message.dueAt,
    settledAt: waits ? null : now,
    holder: '',
    leaseUntil: 0,
  };
}

/** A dead message as one that was put just now. */
export function retriedMessage(message: StoredOutboxMessage, place: number): StoredOutboxMessage {
  return { ...message, place, state: 'waiting', attempts: 0, dueAt: 0, error: '', settledAt: null };
}

export function toOutboxMessage(stored: StoredOutboxMessage): OutboxMessage {
  const { holder, leaseUntil, at, dueAt, settledAt, ...message } = stored;
  return {
    ...message,
    at: new Date(at),
    dueAt: new Date(dueAt),
    settledAt: settledAt === null ? null : new Date(settledAt),
  };
}

/** No pause and no lease is as long: a moment further ahead was stored under a clock that was wrong, and waiting for it could take years. */
const FARTHEST_MS = 2 * 60 * 60_000;

function isOver(moment: number, now: number): boolean {
  return moment <= now || moment - now > FARTHEST_MS;
}

/** The first message that may be handed out, among the oldest that wait of each receiver. */
export function claimable(heads: readonly StoredOutboxMessage[], now: number): StoredOutboxMessage | undefined {
  return heads
    .filter(({ dueAt, leaseUntil }) => isOver(dueAt, now) && isOver(leaseUntil, now))
    .reduce<StoredOutboxMessage | undefined>(
      (first, head) => (first && first.place < head.place ? first : head),
      undefined,
    );
}
