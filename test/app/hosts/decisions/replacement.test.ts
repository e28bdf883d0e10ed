import fc from 'fast-check';
import { expect, it } from 'vitest';
import { replacementChanges } from '../../../../src/app/hosts/decisions/replacement.ts';
import { hostState } from './host-states.ts';

const members = fc.dictionary(fc.constantFrom('os', 'net', '1'), fc.constantFrom({}, { n: 1 }, { n: '1' }), {
  noNullPrototype: true,
});
const records = fc.tuple(hostState, members, members).map(([state, labels, inventory]) => ({
  ...state,
  labels: JSON.stringify(labels),
  inventory: JSON.stringify(inventory),
}));

type Members = Readonly<Record<string, unknown>>;

/** Paths of the members that two texts do not share. */
function differing(part: string, before: string, after: string): string[] {
  const [old, now] = [JSON.parse(before) as Members, JSON.parse(after) as Members];
  const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
  const gone = [...keys].filter((key) => JSON.stringify(old[key]) !== JSON.stringify(now[key]));
  return gone.map((key) => `${part}.${key}`);
}

it('tells each difference between two records, by kind: owner, labels, inventory, archive', () => {
  fc.assert(
    fc.property(records, records, (old, now) => {
      const isBack = old.archive !== null && now.archive === null;
      const isGone = old.archive === null && now.archive !== null;
      const expected = [
        ['account', old.accountId === now.accountId ? [] : ['account']],
        ['labels', differing('labels', old.labels, now.labels)],
        ['inventory', differing('inventory', old.inventory, now.inventory)],
        ['restored', isBack ? ['archive'] : []],
        ['archived', isGone ? ['archive'] : []],
      ] as const;
      const told = replacementChanges(old, now).map(({ kind, changes }) => [
        kind,
        changes.map(({ path }) => path).sort(),
      ]);
      expect(told).toEqual(
        expected.filter(([, paths]) => paths.length > 0).map(([kind, paths]) => [kind, [...paths].sort()]),
      );
    }),
  );
});

it('tells nothing of a record that takes its own place', () => {
  fc.assert(
    fc.property(records, (record) => {
      expect(replacementChanges(record, record)).toEqual([]);
    }),
  );
});
