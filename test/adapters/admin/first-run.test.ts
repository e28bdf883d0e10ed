import { expect, it } from 'vitest';
import { firstRunText } from '../../../src/adapters/admin/pages/cron/first-run.ts';

const now = new Date('2026-11-28T17:53:00Z');
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const group = { enabled: true, weekdays: DAYS, hasHours: true, from: 22, to: 6 };

it.each([
  ['no hours', { ...group, hasHours: false }, 'UTC', 'utc', 'First run as soon as it is created.'],
  ['hours to come', group, 'UTC', 'utc', 'First run in 4 hours, at 22:00 in UTC, where it is 17:53 now.'],
  ['hours of a zone', group, 'Asia/Tokyo', 'utc', 'First run as soon as it is created: it is 02:53 in Asia/Tokyo.'],
  [
    'a reader elsewhere',
    group,
    'UTC',
    'Pacific/Honolulu',
    'First run in 4 hours, at 22:00 in UTC, where it is 17:53 now (2026-11-28 12:00:00, Pacific/Honolulu).',
  ],
  // It is Saturday.
  ['another day', { ...group, weekdays: ['mon'] }, 'UTC', 'utc', 'First run at 2026-11-30 00:00:00 (UTC).'],
  [
    'the whole of another day',
    { ...group, hasHours: false, weekdays: ['mon', 'sun'] },
    'UTC',
    'utc',
    'First run in 6 hours, at 00:00 in UTC, where it is 17:53 now.',
  ],
  ['a whole day', { ...group, from: 6 }, 'UTC', 'utc', 'First run as soon as it is created: it is 17:53 in UTC.'],
  ['disabled', { ...group, enabled: false }, 'UTC', 'utc', 'A group that is not enabled never runs'],
  ['an hour that is missing', { ...group, from: '' }, 'UTC', 'utc', ''],
])('says when a new group runs first: %s', (_, values, ofHours, ofReader, text) => {
  expect(firstRunText(values, { ofHours, ofReader }, now)).toBe(text);
});
