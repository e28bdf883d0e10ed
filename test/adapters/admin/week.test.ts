import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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
    expect(often).toEqual([{ group: 'quick', everyMinutes: 5 }]);
    expect(days.every(({ starts }) => starts.length === 0)).toBe(true);
  });
});

describe('the week ahead where clocks change', () => {
  beforeEach(() => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    // Formats keep the zone that they were made in.
    vi.resetModules();
  });
  afterEach(() => vi.unstubAllEnvs());

  const weekFrom = async (from: string) => {
    const fresh = await import('../../../src/adapters/admin/pages/runs/week.ts');
    const { days } = fresh.weekOf([group('late', [from])], { from, days: 3 }, 'browser');
    return days.map(({ day, starts }) => [day, starts.length]);
  };

  it('has the day after one of 25 hours', async () => {
    expect(await weekFrom('2026-10-24T22:15:00Z')).toEqual([
      ['2026-10-25', 1],
      ['2026-10-26', 0],
      ['2026-10-27', 0],
    ]);
  });

  it('has the day of 23 hours too', async () => {
    expect(await weekFrom('2026-03-28T22:45:00Z')).toEqual([
      ['2026-03-28', 1],
      ['2026-03-29', 0],
      ['2026-03-30', 0],
    ]);
  });
});
