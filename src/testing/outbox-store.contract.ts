import { describe, expect, it } from 'vitest';
import type { NewOutboxMessage, OutboxMessage, Storage } from '../ports/index.ts';
import { minute, ruleId } from './samples.ts';

const LONG_MS = 600_000;
/** Its lease is over before anybody can look. */
const OVER_MS = -1000;

function message(number: number, more: Partial<NewOutboxMessage> = {}): NewOutboxMessage {
  return {
    id: ruleId(number),
    receiver: 'mail',
    topic: 'failed/red',
    at: minute(number),
    state: 'waiting',
    body: `{"number":${number}}`,
    ...more,
  };
}

export function describeOutboxStoreContract(fresh: () => Storage): void {
  describe('OutboxStore', () => {
    describePutting(fresh);
    describeSending(fresh);
    describeLists(fresh);
  });
}

const idsOf = (messages: readonly OutboxMessage[]): readonly string[] => messages.map(({ id }) => id);
const numbers = (...all: number[]): readonly string[] => all.map((number) => ruleId(number));

function describePutting(fresh: () => Storage): void {
  it('stores messages in their order, each once, whatever stands in them', async () => {
    const { outbox } = fresh();
    const strange = { receiver: '$mail "a"', topic: "it's; DROP TABLE --", body: '{"$x.y":"\u{1f600}"}' };
    expect(await outbox.put({ messages: [message(2, strange), message(1), message(2)] })).toBe(2);
    expect(await outbox.put({ messages: [message(1, { body: 'other' }), message(3, { state: 'held_back' })] })).toBe(1);
    const stored = await outbox.list({ limit: 10 });
    expect(idsOf(stored)).toEqual(numbers(3, 1, 2));
    const { at, body, id, receiver, topic } = message(2, strange);
    const rest = { state: 'waiting', attempts: 0, error: '', settledAt: null, dueAt: new Date(0) };
    expect(stored[2]).toEqual({ at, body, id, receiver, topic, ...rest, place: expect.any(Number) });
    expect(stored[0]).toMatchObject({ state: 'held_back', settledAt: minute(3) });
    expect(stored[1]?.body).toBe('{"number":1}');
  });

  it('stores a mark with them, and alone', async () => {
    const { outbox } = fresh();
    expect(await outbox.mark('log')).toBeUndefined();
    expect(await outbox.put({ messages: [], mark: { name: 'log', text: 'a' } })).toBe(0);
    expect(await outbox.mark('log')).toBe('a');
    await outbox.put({ messages: [message(1)], mark: { name: 'log', text: '$b "é"' } });
    expect(await outbox.mark('log')).toBe('$b "é"');
    await outbox.put({ messages: [message(2)] });
    expect([await outbox.mark('log'), await outbox.mark('other')]).toEqual(['$b "é"', undefined]);
  });

  it('has each message once of many who put the same at once, in one order', async () => {
    const { outbox } = fresh();
    const messages = [1, 2, 3, 4, 5].map((number) => message(number));
    const added = await Promise.all([1, 2, 3, 4].map(() => outbox.put({ messages })));
    expect(added.reduce((sum, count) => sum + count, 0)).toBe(5);
    expect(idsOf(await outbox.list({ limit: 10 }))).toEqual(numbers(5, 4, 3, 2, 1));
  });

  it('finds the newest message about a topic that was not held back', async () => {
    const { outbox } = fresh();
    const other = message(3, { topic: 'failed/blue' });
    await outbox.put({ messages: [message(1), message(2), other, message(4, { state: 'held_back' })] });
    expect((await outbox.newest('failed/red'))?.id).toBe(ruleId(2));
    expect(await outbox.newest('failed')).toBeUndefined();
  });
}

function describeSending(fresh: () => Storage): void {
  const lease = { holder: 'n1', leaseMs: LONG_MS };

  it('hands out the oldest message of a receiver, and none behind it before it is settled', async () => {
    const { outbox } = fresh();
    await outbox.put({ messages: [message(1), message(2), message(3, { receiver: 'chat' })] });
    expect((await outbox.claim(lease))?.id).toBe(ruleId(1));
    expect((await outbox.claim(lease))?.id).toBe(ruleId(3));
    expect(await outbox.claim(lease)).toBeUndefined();
    expect(await outbox.settle({ id: ruleId(1), holder: 'n1', outcome: { state: 'sent' } })).toBe(true);
    expect((await outbox.list({ limit: 1, state: 'sent' }))[0]).toMatchObject({ attempts: 1, error: '' });
    expect((await outbox.list({ limit: 1, state: 'sent' }))[0]?.settledAt).toBeInstanceOf(Date);
    expect((await outbox.claim(lease))?.id).toBe(ruleId(2));
  });

  it('hands out what was not settled in time again, and believes the new holder alone', async () => {
    const { outbox } = fresh();
    await outbox.put({ messages: [message(1)] });
    expect((await outbox.claim({ holder: 'dead', leaseMs: OVER_MS }))?.id).toBe(ruleId(1));
    expect((await outbox.claim(lease))?.id).toBe(ruleId(1));
    expect(await outbox.settle({ id: ruleId(1), holder: 'dead', outcome: { state: 'sent' } })).toBe(false);
    expect(await outbox.settle({ id: ruleId(1), holder: 'n1', outcome: { state: 'sent' } })).toBe(true);
    expect(await outbox.settle({ id: ruleId(1), holder: 'n1', outcome: { state: 'sent' } })).toBe(false);
    expect(await outbox.settle({ id: ruleId(9), holder: 'n1', outcome: { state: 'sent' } })).toBe(false);
  });

  it('keeps what is to be tried later before all behind it, and hands it out when it is due', async () => {
    const { outbox } = fresh();
    await outbox.put({ messages: [message(1), message(2)] });
    await outbox.claim(lease);
    const later = { state: 'waiting', error: 'refused $', delayMs: LONG_MS } as const;
    expect(await outbox.settle({ id: ruleId(1), holder: 'n1', outcome: later })).toBe(true);
    expect(await outbox.claim(lease)).toBeUndefined();
    expect((await outbox.list({ limit: 9 }))[1]).toMatchObject({ attempts: 1, error: 'refused $', settledAt: null });
    const now = { ...later, delayMs: 0 };
    await outbox.put({ messages: [message(3, { receiver: 'chat' })] });
    await outbox.claim(lease);
    await outbox.settle({ id: ruleId(3), holder: 'n1', outcome: now });
    expect(await outbox.claim(lease)).toMatchObject({ id: ruleId(3), attempts: 1 });
  });

  it('hands out what is due, or held, further ahead than anything is under a right clock', async () => {
    const { outbox } = fresh();
    const farMs = 3 * 60 * 60_000;
    await outbox.put({ messages: [message(1)] });
    await outbox.claim({ holder: 'n1', leaseMs: farMs });
    expect((await outbox.claim(lease))?.id).toBe(ruleId(1));
    await outbox.settle({ id: ruleId(1), holder: 'n1', outcome: { state: 'waiting', error: 'x', delayMs: farMs } });
    expect((await outbox.claim(lease))?.id).toBe(ruleId(1));
  });

  it('passes over dead messages, and puts them behind all others when they are tried again', async () => {
    const { outbox } = fresh();
    await outbox.put({ messages: [message(1), message(2)] });
    await outbox.claim(lease);
    await outbox.settle({ id: ruleId(1), holder: 'n1', outcome: { state: 'dead', error: 'no such address' } });
    expect(await outbox.backlog()).toEqual({ waiting: 1, dead: 1, oldestWaitingAt: minute(2) });
    expect((await outbox.claim(lease))?.id).toBe(ruleId(2));
    await outbox.settle({ id: ruleId(2), holder: 'n1', outcome: { state: 'sent' } });
    expect(await outbox.backlog()).toEqual({ waiting: 0, dead: 1, oldestWaitingAt: null });
    expect([await outbox.retry(ruleId(2)), await outbox.retry(ruleId(9))]).toEqual([false, false]);
    expect(await outbox.retry(ruleId(1))).toBe(true);
    expect(idsOf(await outbox.list({ limit: 9 }))).toEqual(numbers(1, 2));
    expect(await outbox.claim(lease)).toMatchObject({ id: ruleId(1), attempts: 0, error: '' });
  });

  it('gives a message to one of many who ask at once', async () => {
    const { outbox } = fresh();
    await outbox.put({ messages: [1, 2, 3].map((number) => message(number, { receiver: `r${number}` })) });
    const asking = Array.from({ length: 9 }, (_, index) => outbox.claim({ holder: `n${index}`, leaseMs: LONG_MS }));
    const claimed = (await Promise.all(asking)).flatMap((given) => given?.id ?? []);
    expect([...claimed].sort()).toEqual(numbers(1, 2, 3));
  });
}

function describeLists(fresh: () => Storage): void {
  it('lists by state, receiver and place, counts and deletes what is old', async () => {
    const { outbox } = fresh();
    await outbox.put({
      messages: [
        message(1),
        message(2, { state: 'held_back' }),
        message(3, { receiver: 'chat' }),
        message(4, { state: 'held_back' }),
      ],
    });
    expect(idsOf(await outbox.list({ limit: 9, receiver: 'mail' }))).toEqual(numbers(4, 2, 1));
    expect(idsOf(await outbox.list({ limit: 9, state: 'held_back', receiver: 'mail' }))).toEqual(numbers(4, 2));
    const [newest] = await outbox.list({ limit: 1 });
    expect(idsOf(await outbox.list({ limit: 2, before: newest?.place ?? 0 }))).toEqual(numbers(3, 2));
    expect(await outbox.list({ limit: 0 })).toEqual([]);
    expect(await outbox.counts()).toEqual({ waiting: 2, sent: 0, held_back: 2, dead: 0 });
    expect(await outbox.backlog()).toEqual({ waiting: 2, dead: 0, oldestWaitingAt: minute(1) });
    expect(await outbox.prune(minute(4))).toBe(1);
    expect(idsOf(await outbox.list({ limit: 9 }))).toEqual(numbers(4, 3, 1));
    // A place is never given twice.
    expect(await outbox.prune(minute(9))).toBe(1);
    await outbox.put({ messages: [message(5)] });
    expect((await outbox.list({ limit: 1 }))[0]?.place).toBeGreaterThan(newest?.place ?? 0);
  });
}
