import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { secondsOf } from '../../../src/kit/words/moment.ts';

describe('the seconds of a date', () => {
  it('are its ISO text without what is less than a second', () => {
    const date = fc.date({
      noInvalidDate: true,
      min: new Date('0000-01-01'),
      max: new Date('9999-12-31T23:59:59.999Z'),
    });
    fc.assert(
      fc.property(date, (given) => {
        expect(secondsOf(given)).toBe(`${given.toISOString().slice(0, 19)}Z`);
      }),
      { numRuns: 2_000 },
    );
  });

  it('are none of a date that is none', () => {
    expect(() => secondsOf(new Date(Number.NaN))).toThrow(RangeError);
    expect(() => secondsOf(new Date(Number.NaN))).toThrow(RangeError);
  });
});
