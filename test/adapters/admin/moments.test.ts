import { expect, it } from 'vitest';
import { dayStart, searchedDayStart } from '../../../src/adapters/admin/pages/parts/moments.ts';

it.each([
  ['2026-11-27', 'utc', '2026-11-27T00:00:00.000Z'],
  ['2026-11-27', 'Asia/Tokyo', '2026-11-26T15:00:00.000Z'],
  ['2026-11-27', 'America/St_Johns', '2026-11-27T03:30:00.000Z'],
  // Clocks go back at three in the night of that day, and go forward so in spring.
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
  ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  // They change between the two midnights.
  ['2026-04-05', 'Australia/Sydney', '2026-04-04T13:00:00.000Z'],
  ['2026-10-04', 'Pacific/Auckland', '2026-10-03T11:00:00.000Z'],
])('%s begins in %s at %s', (day, zone, moment) => {
  expect(dayStart(day, zone)).toBe(moment);
});

it('days are searched as they are where they are those of UTC, and else by the moment that they begin at', () => {
  expect(searchedDayStart('2026-11-27', 'utc')).toBe('2026-11-27');
  expect(searchedDayStart('2026-11-27', 'Asia/Tokyo')).toBe('"2026-11-26 15:00:00"');
});
