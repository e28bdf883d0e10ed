import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dueReason, upcomingRuns } from '../../../src/app/runs/cron/decisions/schedule.ts';
import { groupOverview } from '../../../src/app/runs/cron/group-overview.ts';
import { nextRunOf } from '../../../src/app/runs/cron/words.ts';
import { endedState, groupOf } from './groups.ts';

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const noon = new Date('2026-03-10T12:00:00Z');

const at = (hours: number, minutes = 0): Date => new Date(noon.getTime() + (hours * 60 + minutes) * MINUTE);

describe('what cron groups run next', () => {
  it('is when the interval is over, within their hours', () => {
    const group = groupOf({ interval: 'hour', timerange_from: 22, timerange_to: 6 });
    const until = at(12);
    const starts = upcomingRuns(group, endedState(noon), { now: at(1, 30), until, timeZone: 'UTC' });
    expect(starts).toEqual([at(10), at(11), at(12)]);
    expect(upcomingRuns(group, undefined, { now: at(11, 20), until, timeZone: 'UTC', most: 1 })).toEqual([at(11, 20)]);
    const berlin = { now: at(1, 30), until, timeZone: 'Europe/Berlin', most: 1 };
    expect(upcomingRuns(group, endedState(noon), berlin)).toEqual([at(9)]);
  });

  it('is nothing of groups that are disabled or wait for a request', () => {
    const times = { now: noon, until: at(24), timeZone: 'UTC' };
    expect(upcomingRuns(groupOf({ enabled: false, interval: 'hour' }), undefined, times)).toEqual([]);
    expect(upcomingRuns(groupOf({}), undefined, times)).toEqual([]);
  });

  it('is what passes every quarter of an hour would do', () => {
    const hour = fc.integer({ min: 0, max: 23 });
    fc.assert(
      fc.property(
        fc.record({
          from: hour,
          to: hour,
          quarters: fc.integer({ min: 1, max: 40 }),
          since: fc.integer({ min: 0, max: 60 }),
          weekdays: fc.subarray(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']),
          paused: fc.integer({ min: -10, max: 100 }),
        }),
        fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'Australia/Lord_Howe'),
        ({ from, to, quarters, since, weekdays, paused }, timeZone) => {
          const custom = { interval: 'custom', custom_interval_in_minutes: quarters * 15 };
          const paused_until = { $date: noon.getTime() + paused * QUARTER };
          const group = groupOf({ ...custom, timerange_from: from, timerange_to: to, weekdays, paused_until });
          const before = new Date(noon.getTime() - since * QUARTER);
          const until = at(48);
          const expected: Date[] = [];
          let state = endedState(before);
          for (let now = noon; now <= until; now = new Date(now.getTime() + QUARTER)) {
            if (dueReason(group, state, now, timeZone) === undefined) continue;
            expected.push(now);
            state = endedState(now);
          }
          expect(upcomingRuns(group, endedState(before), { now: noon, until, timeZone })).toEqual(expected);
        },
      ),
    );
  });

  it('is said as a moment wherever there is one', () => {
    const times = { now: at(1, 30), timeZone: 'UTC' };
    const said = (document: object, state?: ReturnType<typeof endedState>) =>
      nextRunOf(groupOverview(groupOf(document as never), state, times));
    const nightly = { interval: 'hour', timerange_from: 22, timerange_to: 6 };
    expect(said(nightly, endedState(noon))).toEqual({ at: '2026-03-10 22:00:00' });
    expect(said(nightly)).toEqual({ at: '2026-03-10 22:00:00' });
    expect(said({ interval: 'hour' })).toEqual({ words: 'next pass' });
    expect(said({ ...nightly, enabled: false })).toEqual({ words: 'when enabled' });
    expect(said({}, endedState(noon))).toEqual({ words: 'on request' });
    // 10 March 2026 is a Tuesday.
    expect(said({ ...nightly, weekdays: ['sat'] })).toEqual({ at: '2026-03-14 00:00:00' });
    const paused_until = { $date: at(24 * 30).getTime() };
    expect(said({ ...nightly, paused_until }, endedState(noon))).toEqual({ at: '2026-04-09 22:00:00' });
    expect(said({ interval: 'hour', paused_until })).toEqual({ at: '2026-04-09 12:00:00' });
    expect(said({ interval: 'hour', paused_until, run_once_next: true })).toEqual({ words: 'after its pause' });
    expect(said({ paused_until }, endedState(noon))).toEqual({ words: 'after its pause' });
    expect(said({ interval: 'hour', paused_until: { $date: noon.getTime() } })).toEqual({ words: 'next pass' });
  });

  it('is told beside what it would be after a run on request, which may come in place of a start', () => {
    const times = { now: noon, timeZone: 'UTC' };
    const starts = (document: object) => {
      const { next_start, next_start_if_run_now } = groupOverview(
        groupOf(document as never),
        endedState(at(-10)),
        times,
      );
      return [next_start, next_start_if_run_now];
    };
    // The day that its interval counts from noon is over in the middle of the next day, out of its hours.
    const daily = { interval: 'daily', timerange_from: 2, timerange_to: 4 };
    expect(starts(daily)).toEqual(['2026-03-11 02:00:00', '2026-03-12 02:00:00']);
    expect(starts({ ...daily, interval: 'hour' })).toEqual(['2026-03-11 02:00:00', '2026-03-11 02:00:00']);
    expect(starts({ ...daily, enabled: false })).toEqual([null, null]);
  });
});
