import fc from 'fast-check';
import { expect, test } from 'vitest';
import { counted, grouped } from '../../../src/kit/words/amounts.ts';

test('amounts are grouped as English groups them', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (count) => {
      expect(grouped(count)).toBe(count.toLocaleString('en-US'));
    }),
  );
});

test('the noun follows the amount', () => {
  expect([counted(1, 'host'), counted(0, 'host'), counted(1024, 'entry', 'entries')]).toEqual([
    '1 host',
    '0 hosts',
    '1,024 entries',
  ]);
});
