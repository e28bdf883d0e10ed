import type { Clock, OutboxStore } from '../../../ports/index.ts';
import {
  claimable,
  NO_OUTBOX_MESSAGES,
  newOutboxMessage,
  retriedMessage,
  type StoredOutboxMessage,
  settledMessage,
  toOutboxMessage,
} from '../shared/outbox.ts';
import { wellFormed } from '../shared/utf8-order.ts';
import type { MemoryState } from './state.ts';

export function memoryOutbox(state: () => MemoryState, clock: Clock): OutboxStore {
  const now = () => clock.now().getTime();
  const put = (message: StoredOutboxMessage) => state().outbox.set(message.id, message);
  const inOrder = () => [...state().outbox.values()].sort((a, b) => a.place - b.place);

  return {
    async put({ messages, mark }) {
      const fresh = messages.filter(({ id }, index) => {
        const isFirst = messages.findIndex((other) => other.id === id) === index;
        return isFirst && !state().outbox.has(wellFormed(id));
      });
      for (const message of fresh) put(newOutboxMessage(message, ++state().outboxPlace));
      if (mark !== undefined) state().outboxMarks.set(mark.name, wellFormed(mark.text));
      return fresh.length;
    },

    mark: async (name) => state().outboxMarks.get(name),

    async newest(topic) {
      const about = inOrder().filter((message) => message.topic === topic && message.state !== 'held_back');
      const last = about.at(-1);
      return last === undefined ? undefined : toOutboxMessage(last);
    },

    async claim({ holder, leaseMs }) {
      const heads = new Map<string, StoredOutboxMessage>();
      for (const message of inOrder()) {
        if (message.state === 'waiting' && !heads.has(message.receiver)) heads.set(message.receiver, message);
      }
      const moment = now();
      const message = claimable([...heads.values()], moment);
      if (message === undefined) return undefined;
      put({ ...message, holder, leaseUntil: moment + leaseMs });
      return toOutboxMessage(message);
    },

    async settle({ id, holder, outcome }) {
      const message = state().outbox.get(id);
      if (message === undefined || message.state !== 'waiting' || message.holder !== holder) return false;
      put(settledMessage(message, outcome, now()));
      return true;
    },

    async retry(id) {
      const message = state().outbox.get(id);
      if (message?.state !== 'dead') return false;
      put(retriedMessage(message, ++state().outboxPlace));
      return true;
    },

    async list({ limit, state: wanted, receiver, before = Number.POSITIVE_INFINITY }) {
      return inOrder()
        .reverse()
        .filter((message) => wanted === undefined || message.state === wanted)
        .filter((message) => receiver === undefined || message.receiver === receiver)
        .filter(({ place }) => place < before)
        .slice(0, limit)
        .map(toOutboxMessage);
    },

    async counts() {
      const counts = { ...NO_OUTBOX_MESSAGES };
      for (const message of state().outbox.values()) counts[message.state]++;
      return counts;
    },

    async backlog() {
      const all = inOrder();
      const waiting = all.filter((message) => message.state === 'waiting').map(({ at }) => at);
      const dead = all.filter((message) => message.state === 'dead').length;
      const oldestWaitingAt = waiting.length === 0 ? null : new Date(Math.min(...waiting));
      return { waiting: waiting.length, dead, oldestWaitingAt };
    },

    async prune(before) {
      const old = inOrder().filter((message) => message.state !== 'waiting' && message.at < before.getTime());
      for (const { id } of old) state().outbox.delete(id);
      return old.length;
    },
  };
}
