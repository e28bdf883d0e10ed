import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterMove, dropped, type Step } from '../../../src/adapters/admin/pages/rules/order/places.ts';

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

  it('go along with the one that is dropped, to the nearest rule that stays', () => {
    const to = (id: string, over: string, ...moved: string[]) => {
      const step = dropped(RULES, new Set(moved), { id, over });
      return step === undefined ? undefined : ids(afterMove(RULES, step));
    };
    expect(to('b', 'd', 'b')).toBe('acdbef');
    expect(to('d', 'b', 'd')).toBe('adbcef');
    expect(to('b', 'd', 'b', 'e')).toBe('acdbef');
    expect(to('e', 'a', 'b', 'e', 'f')).toBe('befacd');
    expect(to('a', 'f', 'a', 'b')).toBe('cdefab');
    // Dropped on one of themselves.
    expect(to('b', 'd', 'b', 'd')).toBe('acbdef');
    expect(to('d', 'b', 'b', 'd')).toBe('abdcef');
    expect(to('b', 'a', 'a', 'b')).toBe('abcdef');
    expect(to('e', 'f', 'e', 'f')).toBe('abcdef');
    expect(to('a', 'b', 'a', 'b', 'c', 'd', 'e', 'f')).toBeUndefined();
  });

  it('stand together where they were dropped, in their order, and the others keep theirs', () => {
    const names = RULES.map(({ id }) => id);
    const some = fc.subarray(names, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(some, fc.nat(4), fc.constantFrom(...names), (moved, pick, over) => {
        const step = dropped(RULES, new Set(moved), { id: moved[pick % moved.length] ?? '', over });
        const after = step === undefined ? '' : ids(afterMove(RULES, step));
        expect(after).toContain(moved.join(''));
        expect(names.filter((name) => !moved.includes(name)).join('')).toBe(after.replace(moved.join(''), ''));
      }),
    );
  });
});
