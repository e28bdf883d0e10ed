import type { OutboxState, OutboxStore, RecordStore } from '../../../ports/index.ts';
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
import { type Decision, type Kept, numberKey, RecordKind, retried, within } from './record-kind.ts';

type Message = StoredOutboxMessage;

const PLACE = 0;
/** Messages that wait, by receiver. */
const QUEUE = 1;
const TOPIC = 2;
const STATE = 3;

/** Messages read at once. */
const PAGE = 500;

/** The last place that was given to a message. */
interface Counter {
  readonly name: 'outbox';
  readonly last: number;
}

interface Mark {
  readonly name: string;
  readonly text: string;
}

export function recordedOutbox(records: () => RecordStore): OutboxStore {
  const kind = new RecordKind<Message>(records, {
    name: 'outbox',
    key: ({ id }) => id,
    sorts: [
      ({ place }) => numberKey(place),
      ({ state, receiver, place }) => (state === 'waiting' ? `${receiver}\u0000${numberKey(place)}` : null),
      ({ state, topic, place }) => (state === 'held_back' ? null : `${topic}\u0000${numberKey(place)}`),
      ({ state, place }) => `${state}\u0000${numberKey(place)}`,
    ],
  });
  const counters = new RecordKind<Counter>(records, { name: 'outbox_places', key: ({ name }) => name });
  const marks = new RecordKind<Mark>(records, { name: 'outbox_marks', key: ({ name }) => name });

  /** The oldest message that waits of each receiver. */
  async function heads(): Promise<{ readonly now: number; readonly found: readonly Kept<Message>[] }> {
    const found: Kept<Message>[] = [];
    let from: string | undefined;
    for (;;) {
      const { now, items } = await kind.list({ by: QUEUE, ...(from === undefined ? {} : { from }), limit: 1 });
      const [head] = items;
      if (head === undefined) return { now, found };
      found.push(head);
      from = within(head.item.receiver).before;
    }
  }

  return {
    async put({ messages, mark }) {
      const byId = new Map(messages.toReversed().map((message) => [wellFormed(message.id), message]));
      const wanted = messages.filter((message) => byId.get(wellFormed(message.id)) === message);
      return retried(async () => {
        const known = await kind.findEach(wanted.map(({ id }) => id));
        const fresh = wanted.filter(({ id }) => !known.has(wellFormed(id)));
        const { kept } = await counters.find('outbox');
        let last = kept?.item.last ?? 0;
        const puts = fresh.map((message) => kind.put(newOutboxMessage(message, ++last), null));
        const counted = puts.length === 0 ? [] : [counters.put({ name: 'outbox', last }, kept?.version ?? null)];
        const marked = mark === undefined ? [] : [marks.put(mark)];
        const changes = [...counted, ...puts, ...marked];
        const isDone = changes.length === 0 || (await records().write(changes)) !== null;
        return isDone ? { answer: fresh.length } : undefined;
      });
    },

    async mark(name) {
      return (await marks.find(name)).kept?.item.text;
    },

    async newest(topic) {
      const [newest] = (await kind.list({ by: TOPIC, ...within(topic), limit: 1, descending: true })).items;
      return newest && toOutboxMessage(newest.item);
    },

    claim: ({ holder, leaseMs }) =>
      retried(async () => {
        const { now, found } = await heads();
        const message = claimable(
          found.map(({ item }) => item),
          now,
        );
        const kept = found.find(({ item }) => item === message);
        if (message === undefined || kept === undefined) return { answer: undefined };
        const claimed = kind.put({ ...message, holder, leaseUntil: now + leaseMs }, kept.version);
        return (await records().write([claimed])) === null ? undefined : { answer: toOutboxMessage(message) };
      }),

    settle: ({ id, holder, outcome }) =>
      kind.change(id, (message, now): Decision<Message, boolean> => {
        if (message?.state !== 'waiting' || message.holder !== holder) return { answer: false };
        return { answer: true, put: settledMessage(message, outcome, now) };
      }),

    retry: (id) =>
      kind.change(id, async (message): Promise<Decision<Message, boolean>> => {
        if (message?.state !== 'dead') return { answer: false };
        const { kept } = await counters.find('outbox');
        const last = (kept?.item.last ?? 0) + 1;
        const counted = counters.put({ name: 'outbox', last }, kept?.version ?? null);
        return { answer: true, put: retriedMessage(message, last), also: [counted] };
      }),

    async list({ limit, state, receiver, before }) {
      const found: Message[] = [];
      const end = before === undefined ? undefined : numberKey(Math.max(0, before));
      let range = state === undefined ? {} : within(state);
      const prefix = state === undefined ? '' : `${state}\u0000`;
      if (end !== undefined) range = { ...range, before: `${prefix}${end}` };
      const by = state === undefined ? PLACE : STATE;
      while (found.length < limit) {
        const size = receiver === undefined ? limit - found.length : PAGE;
        const { items } = await kind.list({ by, ...range, limit: size, descending: true });
        found.push(
          ...items.map(({ item }) => item).filter((item) => receiver === undefined || item.receiver === receiver),
        );
        const last = items.at(-1);
        if (last === undefined || items.length < size) break;
        range = { ...range, before: `${prefix}${numberKey(last.item.place)}` };
      }
      return found.slice(0, Math.max(limit, 0)).map(toOutboxMessage);
    },

    async counts() {
      const counts = { ...NO_OUTBOX_MESSAGES };
      for (const state of Object.keys(counts) as OutboxState[])
        counts[state] = await kind.count({ by: STATE, ...within(state) });
      return counts;
    },

    async backlog() {
      let waiting = 0;
      let oldest = Number.POSITIVE_INFINITY;
      for await (const page of kind.pages({ by: QUEUE, limit: PAGE })) {
        waiting += page.length;
        for (const { item } of page) oldest = Math.min(oldest, item.at);
      }
      const dead = await kind.count({ by: STATE, ...within('dead') });
      return { waiting, dead, oldestWaitingAt: waiting === 0 ? null : new Date(oldest) };
    },

    async prune(before) {
      let count = 0;
      for await (const page of kind.pages({ by: PLACE, limit: PAGE })) {
        const old = page.filter(({ item }) => item.state !== 'waiting' && item.at < before.getTime());
        for (const message of old) if ((await records().write([kind.drop(message)])) !== null) count++;
      }
      return count;
    },
  };
}
