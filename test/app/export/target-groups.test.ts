import { expect, it } from 'vitest';
import { targetGroups } from '../../../src/app/exports/drive-target.ts';
import type { InventoryGroup } from '../../../src/ports/index.ts';

const group = (name: string, more: Partial<InventoryGroup> = {}): InventoryGroup => {
  return { name, parents: [], children: [], variables: {}, ...more };
};

function made(definitions: readonly InventoryGroup[], used: readonly string[]) {
  const warned: unknown[] = [];
  const written = (name: string) => (name.includes('/') ? undefined : name.replaceAll('-', '_'));
  const groups = targetGroups(definitions, { used, written }, { warn: (_text, fields) => warned.push(fields) });
  return { groups, warned };
}

const NOTHING = { isTop: true, children: [], variables: {}, expressions: {}, vouched: [] };

it('are those that hosts are in, and all that rules name, as the target writes them', () => {
  const { groups } = made(
    [
      group('eu-west', { parents: ['europe', 'a/b'], children: ['x'] }),
      group('a/b'),
      group('web*', { variables: { n: 1 } }),
    ],
    ['x', 'web_1'],
  );
  expect(groups).toEqual([
    { ...NOTHING, name: 'eu_west', isTop: false, children: ['x'] },
    { ...NOTHING, name: 'europe', children: ['eu_west'] },
    { ...NOTHING, name: 'web_1', variables: { n: 1 } },
    { ...NOTHING, name: 'x', isTop: false },
  ]);
});

it('have all with the groups on top where it has variables', () => {
  const { groups } = made(
    [group('all', { expressions: { dns: '{{ x }}' } }), group('b', { parents: ['a', 'all'] })],
    [],
  );
  expect(groups).toEqual([
    { ...NOTHING, name: 'a', children: ['b'] },
    { ...NOTHING, name: 'all', isTop: false, children: ['a', 'b'], expressions: { dns: '{{ x }}' } },
    { ...NOTHING, name: 'b' },
  ]);
});

it('are never below themselves, and say which edge was left out', () => {
  const { groups, warned } = made([group('a', { parents: ['b'] }), group('b', { parents: ['a'] })], []);
  expect(groups.map(({ name, children }) => [name, children])).toEqual([
    ['a', []],
    ['b', ['a']],
  ]);
  expect(warned).toEqual([{ group: 'b', parent: 'a' }]);
});

it('are vouched for where the last word is of an administrator', () => {
  const { groups } = made(
    [
      group('a', { variables: { p: 1, q: 1 }, vouched: ['p', 'q'] }),
      group('a', { variables: { p: 2 } }),
      group('a', { variables: { q: 3 }, vouched: ['q'] }),
    ],
    [],
  );
  expect(groups).toMatchObject([{ variables: { p: 2, q: 3 }, vouched: ['q'] }]);
});
