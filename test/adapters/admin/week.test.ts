import { describe, expect, it } from 'vitest';
import { weekOf } from '../../../src/adapters/admin/pages/runs/week.ts';

const FROM = '2026-03-01T20:00:00Z';

function group(name: string, starts: readonly string[]) {
  return { name, jobs: ['Import'], starts: [...starts] };
}

/** So many starts, one each so many minutes. */
function every(minutes: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(FROM) + index * minutes * 60_000).toISOString(),
  );
}

describe('the week ahead', () => {
  it('has a column for each day, also for those on which nothing starts', () => {
    const { days } = weekOf(
      [group('nightly', ['2026-03-01T22:00:00Z', '2026-03-03T22:00:00Z'])],
      { from: FROM, days: 4 },
      'utc',
    );
    expect(days.map(({ day, starts }) => [day, starts.length])).toEqual([
      ['2026-03-01', 1],
      ['2026-03-02', 0],
      ['2026-03-03', 1],
      ['2026-03-04', 0],
    ]);
  });

  it('has what starts on a day in its order, whichever group it is', () => {
    const groups = [group('b', ['2026-03-02T05:00:00Z']), group('a', ['2026-03-02T05:00:00Z', '2026-03-02T04:00:00Z'])];
    const { days } = weekOf(groups, { from: FROM, days: 2 }, 'utc');
    expect(days[1]?.starts.map(({ group: name, at }) => `${at.slice(11, 16)} ${name}`)).toEqual([
      '04:00 a',
      '05:00 a',
      '05:00 b',
    ]);
  });

  it('tells what starts again and again as one', () => {
    const { days, often } = weekOf([group('quick', every(5, 300))], { from: FROM, days: 7 }, 'utc');
    expect(often).toEqual([{ group: 'quick', everyMinutes: 5, first: new Date(FROM).toISOString() }]);
    expect(days.every(({ starts }) => starts.length === 0)).toBe(true);
  });
});
