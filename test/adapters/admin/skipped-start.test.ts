import { expect, it } from 'vitest';
import { skippedText } from '../../../src/adapters/admin/pages/cron/skipped-start.ts';

const noon = Date.UTC(2026, 2, 10, 12);
const nightly = {
  hours: { from: 2, to: 4 },
  weekdays: null,
  paused_until: null,
  next_start: '2026-03-11 02:00:00',
  next_start_if_run_now: '2026-03-12 02:00:00',
};
const told = (group: Partial<Record<keyof typeof nightly, unknown>>) =>
  skippedText({ ...nightly, ...group } as Parameters<typeof skippedText>[0], 'utc', noon);

it('names the start that a run now comes in place of, and the one after it', () => {
  expect(told({})).toBe(
    'Its interval counts from this run: by itself it then starts at 2026-03-12 02:00:00, and not at 2026-03-11 02:00:00.',
  );
  expect(told({ next_start_if_run_now: null })).toBe(
    'Its interval counts from this run, so it does not start at 2026-03-11 02:00:00.',
  );
});

it('is silent where no start within the hours of the group is lost', () => {
  expect(told({ hours: null })).toBeUndefined();
  expect(told({ next_start: null, next_start_if_run_now: null })).toBeUndefined();
  expect(told({ next_start_if_run_now: nightly.next_start })).toBeUndefined();
  expect(told({ next_start: '2026-03-10 12:00:00' })).toBeUndefined();
});

it('says so of a group that is paused', () => {
  expect(told({ paused_until: '2026-03-11 06:00:00' })).toBe(
    'The group is paused until 2026-03-11 06:00:00. It runs now all the same, and then by its schedule again after the pause.',
  );
});
