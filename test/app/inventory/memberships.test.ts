import { expect, it } from 'vitest';
import { membershipsOf, withoutGroups } from '../../../src/app/inventory/memberships.ts';

const group = (name: string, ...parents: string[]) => ({ name, parents, children: [], variables: {} });

it('keep what stands above a group that is reached another way than by a name of a host', () => {
  const definitions = [group('a', 'x'), group('b', 'x'), group('x', 'p'), group('b', 'alone')];
  for (const groups of [
    ['a', 'b'],
    ['b', 'a'],
  ]) {
    const memberships = membershipsOf({ groups, groupRules: {} }, definitions, (name) => name);
    const kept = withoutGroups(memberships, new Set(['b'])).map(({ group: name, above }) => [name, above]);
    expect(kept.sort()).toEqual([
      ['a', null],
      ['p', 'x'],
      ['x', 'a'],
    ]);
  }
});
