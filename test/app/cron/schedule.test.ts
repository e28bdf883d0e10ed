import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { CronGroup } from '../../../src/app/runs/cron/decisions/group.ts';
import {
  type DueReason,
  dueReason,
  isInterrupted,
  nextRun,
  upcomingRuns,
} from '../../../src/app/runs/cron/decisions/schedule.ts';
import type { CronState } from '../../../src/ports/index.ts';
import { endedState, groupOf } from './groups.ts';

const MINUTE = 60_000;
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
];

/** Around these moments clocks of some of the zones are changed. */
const MOMENTS = [
  '2026-03-29T00:00Z',
  '2026-10-25T00:00Z',
  '2026-03-08T06:00Z',
  '2026-11-01T05:00Z',
  '2026-04-04T15:00Z',
];

/** The hour that a clock on a wall in the zone shows. */
function wallHour(date: Date, timeZone: string): number {
  return Number(/\d\d(?=:\d\d:\d\d$)/.exec(date.toLocaleString('sv-SE', { timeZone }))?.[0]);
}

/** Every hour that the window names, counted one after the other as on a clock face. */
function hoursOf(from: number, to: number): ReadonlySet<number> {
  const hours = new Set<number>();
  let hour = from % 24;
  do {
    hours.add(hour);
    hour = (hour + 1) % 24;
  } while (hour !== to % 24);
  return hours;
}

interface Case {
  readonly minutes: number;
  readonly from: number;
  readonly to: number;
  readonly zone: string;
  readonly days: readonly string[];
  readonly start: Date;
}

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Whether a calendar on a wall in the zone shows one of these days; none named are all. */
function isOnDay(date: Date, { zone, days }: Case): boolean {
  const [day = ''] = date.toLocaleString('sv-SE', { timeZone: zone }).split(' ');
  return days.length === 0 || days.includes(DAYS[new Date(`${day}T00:00Z`).getUTCDay()] ?? '');
}

const cases = fc.record({
  minutes: fc.oneof(fc.constantFrom(10, 60, 24 * 60), fc.integer({ min: 1, max: 3000 })),
  from: fc.integer({ min: 0, max: 24 }),
  to: fc.integer({ min: 0, max: 24 }),
  zone: fc.constantFrom(...ZONES),
  days: fc.oneof(fc.constant([]), fc.subarray(DAYS, { minLength: 1 })),
  start: fc
    .tuple(fc.constantFrom(...MOMENTS), fc.integer({ min: -1500, max: 1500 }))
    .map(([moment, offset]) => new Date(Date.parse(moment) + offset * MINUTE)),
});

function groupOfCase({ minutes, from, to, days }: Case, more: object = {}): CronGroup {
  const hours = { timerange_from: from, timerange_to: to };
  return groupOf({ custom_interval_in_minutes: minutes, ...hours, weekdays: [...days], ...more });
}

describe('minute by minute, as a slow second reading of the rules says', () => {
  test('a group starts in the first minute of its window in which its interval is over', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const group = groupOfCase(given);
        const hours = hoursOf(given.from, given.to);
        const state = endedState(given.start);
        for (let minute = 0; minute < 4 * 24 * 60; minute += 7) {
          const now = new Date(given.start.getTime() + minute * MINUTE);
          const expected =
            minute >= given.minutes && hours.has(wallHour(now, given.zone)) && isOnDay(now, given)
              ? 'schedule'
              : undefined;
          if (dueReason(group, state, now, given.zone) !== expected) {
            throw new Error(`at ${now.toISOString()} the reason should be ${expected}`);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  test('passes of a few days start it often enough, never too early and never outside of its window', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const group = groupOfCase(given);
        const hours = hoursOf(given.from, given.to);
        let state: CronState | undefined;
        let lastStart = Number.NEGATIVE_INFINITY;
        for (let minute = 0; minute < 3 * 24 * 60; minute++) {
          const now = new Date(given.start.getTime() + minute * MINUTE);
          const mayStart =
            minute - lastStart >= given.minutes && hours.has(wallHour(now, given.zone)) && isOnDay(now, given);
          const starts = dueReason(group, state, now, given.zone) !== undefined;
          if (starts !== mayStart)
            throw new Error(`at ${now.toISOString()} it ${mayStart ? 'should' : 'must not'} start`);
          if (!starts) continue;
          lastStart = minute;
          state = endedState(now);
        }
      }),
      { numRuns: 12 },
    );
  });

  test('whatever else is said, a request counts, and what is disabled or held never starts', () => {
    const states = fc.record({
      holder: fc.constantFrom(null, 'node/1'),
      isHeld: fc.boolean(),
      requested: fc.boolean(),
      attempts: fc.integer({ min: 0, max: 5 }),
    });
    fc.assert(
      fc.property(cases, states, fc.boolean(), fc.boolean(), fc.nat(6000), (given, about, enabled, asked, later) => {
        const isHeld = about.isHeld && about.holder !== null;
        const state = endedState(given.start, {
          ...about,
          isHeld,
          lastEnd: about.holder === null ? given.start : null,
        });
        const now = new Date(given.start.getTime() + later * MINUTE);
        const group = groupOfCase(given, { enabled, run_once_next: asked });
        expect(dueReason(group, state, now, given.zone)).toBe(slowReason());

        function slowReason(): DueReason | undefined {
          if (!enabled) return undefined;
          if (isHeld) return undefined;
          const again = about.holder !== null && [0, 1, 2].includes(about.attempts);
          const inside = hoursOf(given.from, given.to).has(wallHour(now, given.zone)) && isOnDay(now, given);
          if (asked || (again && about.requested)) return 'requested';
          if (again && inside) return 'interrupted';
          return inside && later >= given.minutes ? 'schedule' : undefined;
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('the window', () => {
  const group = groupOf({ interval: '10min', timerange_from: '22', timerange_to: '6' });
  const at = (time: string, zone = 'UTC') => dueReason(group, undefined, new Date(`2026-06-01T${time}Z`), zone);

  it('crosses midnight, with its first hour and without its last', () => {
    expect(at('21:59:59.999')).toBeUndefined();
    expect(at('22:00:00')).toBe('schedule');
    expect(at('00:00:00')).toBe('schedule');
    expect(at('05:59:59.999')).toBe('schedule');
    expect(at('06:00:00')).toBeUndefined();
  });

  it('is one of the clock in TIMEZONE', () => {
    expect(at('20:00:00', 'Europe/Berlin')).toBe('schedule');
    expect(at('04:00:00', 'Europe/Berlin')).toBeUndefined();
    expect(at('17:15:00', 'Asia/Kathmandu')).toBe('schedule');
    expect(at('16:14:00', 'Asia/Kathmandu')).toBeUndefined();
  });

  it('has the hour twice that is there twice, and leaves out the one that is not there', () => {
    const nightly = groupOf({ interval: '10min', timerange_from: 2, timerange_to: 3 });
    const due = (time: string) => dueReason(nightly, undefined, new Date(time), 'Europe/Berlin') !== undefined;
    expect(due('2026-10-25T00:30Z')).toBe(true);
    expect(due('2026-10-25T01:30Z')).toBe(true);
    expect(due('2026-10-25T02:30Z')).toBe(false);
    expect(due('2026-03-29T00:59Z')).toBe(false);
    expect(due('2026-03-29T01:00Z')).toBe(false);
  });

  it('is the whole day from midnight to midnight, and between two equal hours', () => {
    for (const [from, to] of [
      [0, 24],
      [0, 0],
      [24, 24],
      [24, 0],
      [7, 7],
    ]) {
      expect(groupOf({ timerange_from: from as number, timerange_to: to as number }).window).toBeNull();
    }
    const evening = groupOf({ interval: 'hour', timerange_from: 20, timerange_to: 24 });
    expect(dueReason(evening, undefined, new Date('2026-06-01T23:59Z'), 'UTC')).toBe('schedule');
    expect(dueReason(evening, undefined, new Date('2026-06-01T00:00Z'), 'UTC')).toBeUndefined();
  });
});

describe('a run that was cut off', () => {
  const now = new Date('2026-06-01T12:00Z');
  const cutOff = (more: Partial<CronState> = {}) =>
    endedState(new Date('2026-06-01T11:59Z'), { holder: 'dead/1', lastEnd: null, attempts: 1, ...more });

  it('is begun again twice, then waits for its schedule', () => {
    const group = groupOf({ interval: 'hour' });
    expect(dueReason(group, cutOff(), now, 'UTC')).toBe('interrupted');
    expect(dueReason(group, cutOff({ attempts: 2 }), now, 'UTC')).toBe('interrupted');
    expect(dueReason(group, cutOff({ attempts: 3 }), now, 'UTC')).toBeUndefined();
    expect(dueReason(group, cutOff({ attempts: 3 }), new Date('2026-06-01T12:59Z'), 'UTC')).toBe('schedule');
  });

  it('is begun again outside of its window only when it was asked for', () => {
    const group = groupOf({ interval: 'hour', timerange_from: 1, timerange_to: 2 });
    expect(dueReason(group, cutOff(), now, 'UTC')).toBeUndefined();
    expect(dueReason(group, cutOff({ requested: true }), now, 'UTC')).toBe('requested');
  });

  it('is none while its holder lives', () => {
    expect(isInterrupted(cutOff({ isHeld: true }))).toBe(false);
    expect(isInterrupted(cutOff())).toBe(true);
    expect(isInterrupted(endedState(now))).toBe(false);
  });
});

describe('the next run', () => {
  const start = new Date('2026-06-01T12:00Z');

  it('is the last start and the interval', () => {
    expect(nextRun(groupOf({ interval: '10min' }), endedState(start), start)).toEqual(new Date('2026-06-01T12:10Z'));
    expect(nextRun(groupOf({ interval: 'hour' }), endedState(start), start)).toEqual(new Date('2026-06-01T13:00Z'));
    expect(nextRun(groupOf({ interval: 'daily' }), endedState(start), start)).toEqual(new Date('2026-06-02T12:00Z'));
    const custom = groupOf({ interval: 'daily', custom_interval_in_minutes: 5 });
    expect(nextRun(custom, endedState(start), start)).toEqual(new Date('2026-06-01T12:05Z'));
  });

  it('is not known of a group that never ran or that has no interval', () => {
    expect(nextRun(groupOf({ interval: 'hour' }), undefined, start)).toBeNull();
    expect(nextRun(groupOf({}), endedState(start), start)).toBeNull();
  });

  it('is not known when it lies behind all dates', () => {
    const never = groupOf({ custom_interval_in_minutes: Number.MAX_SAFE_INTEGER });
    expect(nextRun(never, endedState(start), start)).toBeNull();
    expect(nextRun(groupOf({ custom_interval_in_minutes: 5e9 }), endedState(start), start)).toBeNull();
    expect(dueReason(never, endedState(start), new Date('2126-06-01T12:00Z'), 'UTC')).toBeUndefined();
  });

  it('does not wait for years after a start under a clock that was wrong', () => {
    const group = groupOf({ interval: 'hour' });
    const ahead = endedState(new Date('2036-06-01T12:00Z'));
    expect(dueReason(group, ahead, start, 'UTC')).toBe('schedule');
    expect(nextRun(group, ahead, start)).toEqual(start);
    expect(dueReason(group, endedState(new Date('2026-06-01T12:30Z')), start, 'UTC')).toBeUndefined();
  });

  it.each([
    ['1min', 4, 6],
    ['10min', 10, 11],
    ['hour', 60, 61],
    ['daily', 24 * 60, 24 * 60 + 1],
    ['weekly', 24 * 60, 24 * 60 + 1],
  ])(
    'waits after a start ahead of a clock that was put back, if that is not farther than clocks differ or than its interval: %s',
    (interval, near, far) => {
      const minutes = { '1min': 1, weekly: 7 * 24 * 60 }[interval];
      const group = groupOf(minutes === undefined ? { interval } : { custom_interval_in_minutes: minutes });
      const reason = (ahead: number) =>
        dueReason(group, endedState(new Date(start.getTime() + ahead * MINUTE)), start, 'UTC');
      expect([reason(near), reason(far)]).toEqual([undefined, 'schedule']);
      const starts = { now: start, until: start, timeZone: 'UTC' };
      expect(upcomingRuns(group, endedState(new Date(start.getTime() + far * MINUTE)), starts)).toEqual([start]);
    },
  );

  it('of a group without an interval is the first pass, and then the next request', () => {
    const group = groupOf({});
    expect(dueReason(group, undefined, start, 'UTC')).toBe('schedule');
    expect(dueReason(group, endedState(new Date(0)), start, 'UTC')).toBeUndefined();
    expect(dueReason(groupOf({ run_once_next: true }), endedState(new Date(0)), start, 'UTC')).toBe('requested');
  });
});

describe('a pause', () => {
  const until = { $date: Date.parse('2026-06-01T12:00Z') };
  const start = new Date('2026-05-30T12:00Z');
  const [during, after] = [new Date('2026-06-01T11:59Z'), new Date('2026-06-01T12:00Z')];
  const due = (document: object, now: Date, despitePause = false, state = endedState(start)) =>
    dueReason(groupOf({ interval: 'hour', paused_until: until, ...document }), state, now, 'UTC', despitePause);

  it('holds schedules, requests and runs that were cut off until it ends', () => {
    expect(due({}, during)).toBeUndefined();
    expect(due({}, after)).toBe('schedule');
    expect(due({ run_once_next: true }, during)).toBeUndefined();
    expect(due({ run_once_next: true }, after)).toBe('requested');
    const cutOff = endedState(start, { holder: 'node/1', lastEnd: null, requested: true, attempts: 1 });
    expect(due({}, during, false, cutOff)).toBeUndefined();
    expect(due({}, after, false, cutOff)).toBe('requested');
  });

  it('gives way to a person who asked for a run', () => {
    expect(due({ run_once_next: true }, during, true)).toBe('requested');
    expect(due({ run_once_next: true, enabled: false }, during, true)).toBeUndefined();
  });

  it('is read as documents and people write it', () => {
    for (const paused_until of ['2026-06-01T12:00Z', until.$date, { $date: '2026-06-01T12:00Z' }])
      expect(due({ paused_until }, during)).toBeUndefined();
    for (const paused_until of [null, '', 'soon']) expect(due({ paused_until }, during)).toBe('schedule');
  });
});
