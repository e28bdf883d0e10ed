import { describe, expect, it } from 'vitest';
import {
  lastSend,
  type Notification,
  newRule,
  sortRules,
  tickedEvents,
  withTicked,
} from '../../../src/adapters/admin/pages/notifications/ticked-rules.ts';

const EVENTS = ['run_failed', 'threshold', 'source_silent'];
const RECEIVERS = ['mail', 'chat'];

function rule(name: string, more: object = {}) {
  return { _id: { $oid: name }, name, enabled: true, receivers: ['mail'], ...more };
}

describe('rules that ticks say', () => {
  it('are the first enabled one of each receiver that names it alone', () => {
    const { ticked, others } = sortRules(
      [
        rule('off', { enabled: false }),
        rule('first', { events: ['threshold'], subjects: ['dc-*'], cool_down_minutes: 5 }),
        rule('second'),
        rule('chat', { receivers: ['chat', 'chat'], events: null }),
      ],
      RECEIVERS,
      EVENTS,
    );
    expect([...ticked].map(([receiver, { name, events, subjects }]) => [receiver, name, events, subjects])).toEqual([
      ['mail', 'first', ['threshold'], ['dc-*']],
      ['chat', 'chat', [], []],
    ]);
    expect(others.map(({ name }) => name)).toEqual(['off', 'second']);
  });

  it.each([
    ['several receivers', { receivers: ['mail', 'chat'] }],
    ['a receiver that is gone', { receivers: ['gone'] }],
    ['no receiver', { receivers: [] }],
    ['an event without a box', { events: ['run_failed', 'moon_phase'] }],
    ['a list that holds something else', { subjects: ['dc-*', 5] }],
    ['something else than a list', { events: 'run_failed' }],
  ])('are none with %s', (_, more) => {
    const { ticked, others } = sortRules([rule('odd', more)], RECEIVERS, EVENTS);
    expect(ticked.size).toBe(0);
    expect(others.map(({ id }) => id)).toEqual(['odd']);
  });
});

describe('ticks', () => {
  it('are all of them for a rule without events', () => {
    expect(tickedEvents(rule('a'), EVENTS)).toEqual(EVENTS);
    expect(tickedEvents(rule('a', { events: [] }), EVENTS)).toEqual(EVENTS);
    expect(tickedEvents(rule('a', { events: ['threshold'] }), EVENTS)).toEqual(['threshold']);
  });

  it('are written in the order of the boxes, beside all that the rule has', () => {
    const stored = rule('a', { events: ['threshold'], cool_down_minutes: 5, documentation: 'why' });
    const written = withTicked(stored, ['source_silent', 'run_failed'], EVENTS);
    expect(written).toEqual({ ...stored, events: ['run_failed', 'source_silent'] });
    expect(Object.keys(written)).toEqual(Object.keys(stored));
  });

  it('name no events where all are ticked', () => {
    expect(withTicked(rule('a', { events: ['threshold'] }), EVENTS, EVENTS)).toEqual(rule('a'));
  });

  it('of a receiver without a rule make one under a name that is free', () => {
    expect(newRule('mail', [])).toEqual({ name: 'mail', enabled: true, receivers: ['mail'] });
    expect(newRule('mail', ['mail', 'mail 2']).name).toBe('mail 3');
  });
});

describe('how a receiver stands', () => {
  const sent = (id: string, state: Notification['state'], error = '') => ({ id, state, error }) as Notification;

  it.each([
    ['nothing was sent', [], undefined],
    ['the last one was taken', [sent('b', 'held_back'), sent('a', 'sent')], 'a'],
    ['the last one was given up', [sent('b', 'dead', 'away'), sent('a', 'sent')], 'b'],
    ['it is its turn', [sent('b', 'waiting')], 'b'],
    [
      'those behind one that is not taken wait too',
      [sent('c', 'waiting'), sent('b', 'waiting', 'away'), sent('a', 'sent')],
      'b',
    ],
  ])('where %s', (_, newestFirst, id) => {
    expect(lastSend(newestFirst)?.id).toBe(id);
  });
});
