import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterMove, type Step, wayBack } from '../../../src/adapters/admin/pages/rules/order/places.ts';

const RULES = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id }));
const ids = (rules: readonly { readonly id: string }[]): string => rules.map(({ id }) => id).join('');

describe('rules that are moved', () => {
  it.each<[Step, string]>([
    [{ rules: ['e', 'b'], place: { to: 'first' } }, 'beacdf'],
    [{ rules: ['a', 'c'], place: { to: 'last' } }, 'bdefac'],
    [{ rules: ['a', 'f'], place: { before: 'd' } }, 'bcafde'],
    [{ rules: ['a', 'f'], place: { after: 'd' } }, 'bcdafe'],
    [{ rules: ['a'], place: { after: 'elsewhere' } }, 'abcdef'],
  ])('%o gives %s', (step, expected) => {
    expect(ids(afterMove(RULES, step))).toBe(expected);
  });

  it('come back to where they stood, in as few steps as there were places', () => {
    expect(wayBack(RULES, new Set(['b', 'c', 'f']))).toEqual([
      { rules: ['b', 'c'], place: { after: 'a' } },
      { rules: ['f'], place: { after: 'e' } },
    ]);
    const some = fc.subarray(
      RULES.map(({ id }) => id),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(some, fc.constantFrom('first', 'last', ...RULES.map(({ id }) => id)), (moved, where) => {
        fc.pre(!moved.includes(where));
        const place = where === 'first' || where === 'last' ? ({ to: where } as const) : { after: where };
        const gone = afterMove(RULES, { rules: moved, place });
        expect(ids(wayBack(RULES, new Set(moved)).reduce(afterMove, gone))).toBe('abcdef');
      }),
    );
  });
});
