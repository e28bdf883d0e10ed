import { beforeEach, expect, it } from 'vitest';
import { ClockWatch } from '../../../src/app/maintenance/clock-watch.ts';
import { recordingLogger } from '../../support/recording-logger.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let now: number;
let elapsed: number;
let watch: ClockWatch;

beforeEach(() => {
  now = Date.UTC(2026, 5, 1);
  elapsed = 12_345;
  const logger = recordingLogger([]);
  watch = new ClockWatch({ clock: { now: () => new Date(now) }, logger, elapsed: () => elapsed });
});

/** Time as it goes by, looked at each minute. */
function passes(ms: number): void {
  for (let gone = 0; gone < ms; gone += MINUTE) {
    now += MINUTE;
    elapsed += MINUTE;
    watch.look();
  }
}

const refused = expect.objectContaining({
  code: 'unavailable',
  message: expect.stringContaining('set forward by 48 hours'),
});

it('trusts a clock that goes as time does, or is put right by a little', () => {
  passes(3 * DAY);
  now += 50 * MINUTE;
  expect(() => watch.requireTrust()).not.toThrow();
});

it('trusts no age for a day after the clock was set forward, and says why', () => {
  now += 2 * DAY;
  expect(() => watch.requireTrust()).toThrow(refused);
  passes(DAY - MINUTE);
  expect(() => watch.requireTrust()).toThrow(refused);
  passes(2 * MINUTE);
  expect(() => watch.requireTrust()).not.toThrow();
});

it('trusts it at once when it is put back', () => {
  now += 2 * DAY;
  watch.look();
  now -= 2 * DAY;
  expect(() => watch.requireTrust()).not.toThrow();
});

it('does not mind a clock that is set back: nothing gets older by it', () => {
  now -= 5 * DAY;
  expect(() => watch.requireTrust()).not.toThrow();
});
