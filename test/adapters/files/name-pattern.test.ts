import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fits } from '../../../src/adapters/files/name-pattern.ts';
import { processorTime } from '../../support/processor-time.ts';

it('a name fits a pattern as a regular expression would say', () => {
  const letters = fc.constantFrom('a', 'b', '.', '😀');
  const name = fc.string({ unit: letters, maxLength: 8 });
  const pattern = fc.string({ unit: fc.oneof(letters, fc.constantFrom('*', '?')), maxLength: 8 });
  fc.assert(
    fc.property(name, pattern, (text, glob) => {
      const source = glob.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.');
      expect(fits(text, glob)).toBe(new RegExp(`^${source}$`, 'su').test(text));
    }),
    { numRuns: 5_000 },
  );
});

it('many stars take no longer', () => {
  const taken = processorTime(() => {
    expect(fits('a'.repeat(255), `${'*a'.repeat(100)}b`)).toBe(false);
  });
  expect(taken).toBeLessThan(200);
});
