import { expect, it } from 'vitest';
import { firstRunText } from '../../../src/adapters/admin/pages/cron/first-run.ts';

const now = new Date('2026-11-28T17:53:00Z');
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const group = { enabled: true, weekdays: DAYS, hasHours: true, from: 22, to: 6 };

it.each([
  ['no hours', { ...group, hasHours: false }, 'UTC', 'utc', 'It first runs as soon as it is created.'],
  ['hours to come', group, 'UTC', 'utc', 'It is 17:53 in UTC, so it first runs in 4 hours, at 22:00 there.'],
  [
    'hours of a zone',
    group,
    'Asia/Tokyo',
    'utc',
    'It is 02:53 in Asia/Tokyo, so it first runs as soon as it is created.',
  ],
  [
    'a reader elsewhere',
    group,
    'UTC',
    'Pacific/Honolulu',
    'It is 17:53 in UTC, so it first runs in 4 hours, at 22:00 there (2026-11-28 12:00:00, Pacific/Honolulu).',
  ],
  // It is Saturday.
  ['another day', { ...group, weekdays: ['mon'] }, 'UTC', 'utc', 'It first runs at 2026-11-30 00:00:00 (UTC).'],
  [
    'the whole of another day',
    { ...group, hasHours: false, weekdays: ['mon', 'sun'] },
    'UTC',
    'utc',
    'It is 17:53 in UTC, so it first runs in 6 hours, at 00:00 there.',
  ],
  [
    'a whole day',
    { ...group, from: 6 },
    'UTC',
    'utc',
    'It is 17:53 in UTC, so it first runs as soon as it is created.',
  ],
  ['disabled', { ...group, enabled: false }, 'UTC', 'utc', 'A group that is not enabled never runs'],
  ['an hour that is missing', { ...group, from: '' }, 'UTC', 'utc', ''],
])('says when a new group runs first: %s', (_, values, ofHours, ofReader, text) => {
  expect(firstRunText(values, { ofHours, ofReader }, now)).toBe(text);
});
