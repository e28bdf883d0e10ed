import { describe, expect, it } from 'vitest';
import { beginningOf } from '../../../src/app/rules/engine/time-span.ts';

const now = new Date('2026-03-10T12:00:00Z');

describe('the beginning of a time span', () => {
  it.each([
    ['24h', '2026-03-09T12:00:00.000Z'],
    ['1D', '2026-03-09T12:00:00.000Z'],
    ['Today', '2026-03-10T00:00:00.000Z'],
    ['yesterday', '2026-03-09T00:00:00.000Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T14:00', '2026-01-31T14:00:00.000Z'],
    ['2026-01-31T14:00:00Z', '2026-01-31T14:00:00.000Z'],
    ['2026-01-31T14:00:00.250Z', '2026-01-31T14:00:00.250Z'],
    ['2026-01-31T14:00:00+02:00', '2026-01-31T12:00:00.000Z'],
  ])('%s is %s', (text, iso) => expect(beginningOf(text, now)?.toISOString()).toBe(iso));

  it.each(['', 'tomorrow', '2026-13-01', '5y'])('%j is none', (text) => expect(beginningOf(text, now)).toBeUndefined());
});
