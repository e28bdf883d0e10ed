import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newPositions, type Place } from '../../../src/app/rules/move-order.ts';

interface Rule {
  readonly id: string;
  readonly name: string;
  readonly sortField: number;
}

function rules(...positions: readonly number[]): readonly Rule[] {
  return positions.map((sortField, index) => ({ id: `id${index}`, name: `rule ${index}`, sortField }));
}

function ordered(all: readonly Rule[]): readonly Rule[] {
  return all.toSorted(
    (a, b) => a.sortField - b.sortField || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) || (a.id < b.id ? -1 : 1),
  );
}

function ids(all: readonly Rule[]): readonly string[] {
  return ordered(all).map(({ id }) => id);
}

function written(all: readonly Rule[], changes: ReturnType<typeof newPositions>): readonly Rule[] {
  const positions = new Map(changes.map(({ id, sortField }) => [id, sortField]));
  return all.map((rule) => ({ ...rule, sortField: positions.get(rule.id) ?? rule.sortField }));
}

describe('where rules are moved', () => {
  it('a gap has room: no other rule changes', () => {
    expect(newPositions(rules(10, 20, 30), new Set(['id2']), { before: 'id1' })).toEqual([
      { id: 'id2', sortField: 15 },
    ]);
    expect(newPositions(rules(10, 20, 30), new Set(['id0']), 'last')).toEqual([{ id: 'id0', sortField: 40 }]);
    expect(newPositions(rules(10, 20, 30), new Set(['id2']), 'first')).toEqual([{ id: 'id2', sortField: 5 }]);
  });

  it('without a gap those behind make room, as far as they are in the way', () => {
    expect(newPositions(rules(1, 2, 3, 100), new Set(['id2']), { after: 'id0' })).toEqual([
      { id: 'id1', sortField: 21 },
      { id: 'id2', sortField: 11 },
    ]);
  });

  it('where all have one position, only those behind get another', () => {
    const all = rules(0, 0, 0, 0);
    const changes = newPositions(all, new Set(['id3']), { after: 'id0' });
    expect(ids(written(all, changes))).toEqual(['id0', 'id3', 'id1', 'id2']);
    expect(changes.map(({ id }) => id)).not.toContain('id0');
    expect(newPositions(all, new Set(['id3']), 'first')).toEqual([{ id: 'id3', sortField: -10 }]);
  });

  it('what stands there already stays as it is', () => {
    expect(newPositions(rules(10, 20, 30), new Set(['id1']), { after: 'id0' })).toEqual([]);
    expect(newPositions(rules(10, 20, 30), new Set(['id1', 'id2']), 'last')).toEqual([]);
  });

  it('of any positions, the order is as asked for, and never another one of those that stay', () => {
    const scene = fc
      .tuple(
        fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 2, maxLength: 12 }),
        fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
        fc.nat(),
        fc.constantFrom('first', 'last', 'before', 'after'),
      )
      .map(([positions, chosen, at, side]) => {
        const all = rules(...positions);
        const moved = new Set(all.filter((_, index) => chosen[index]).map(({ id }) => id));
        return { all, moved, at, side };
      })
      .filter(({ all, moved }) => moved.size > 0 && moved.size < all.length);
    fc.assert(
      fc.property(scene, ({ all, moved, at, side }) => {
        const rest = ids(all).filter((id) => !moved.has(id));
        const next = rest[at % rest.length] as string;
        const place: Place =
          side === 'before' ? { before: next } : side === 'after' ? { after: next } : (side as Place);
        const index =
          place === 'first' ? 0 : place === 'last' ? rest.length : rest.indexOf(next) + (side === 'after' ? 1 : 0);
        const changes = newPositions(all, moved, place);
        const taken = ids(all).filter((id) => moved.has(id));
        expect(ids(written(all, changes))).toEqual([...rest.slice(0, index), ...taken, ...rest.slice(index)]);
        for (let done = 0; done < changes.length; done++) {
          const between = ids(written(all, changes.slice(0, done))).filter((id) => !moved.has(id));
          expect(between).toEqual(rest);
        }
      }),
    );
  });
});
