import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dottedMembers } from '../../../src/kit/json/dotted-members.ts';
import type { JsonObject, JsonValue } from '../../../src/ports/json.ts';

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.dictionary(
    fc.constantFrom('a', 'b', 'name', '__proto__', 'constructor'),
    fc.oneof({ maxDepth: 3 }, fc.constantFrom<JsonValue>('x', 1, false, null), tie('tree')),
    { minKeys: 1, maxKeys: 3, noNullPrototype: true },
  ) as fc.Arbitrary<Tree>,
}));

interface Tree {
  readonly [key: string]: JsonValue | Tree;
}

function flattened(value: JsonValue | Tree, name: string): [string, JsonValue][] {
  if (typeof value !== 'object' || value === null) return [[name, value]];
  return Object.entries(value).flatMap(([key, item]) => flattened(item as JsonValue, `${name}.${key}`));
}

describe('members of dotted names', () => {
  it('are the object that was flattened, whatever stands beside them and in whatever order', () => {
    const shuffled = tree.chain((value) => {
      const entries: [string, JsonValue][] = [...flattened(value, 'site'), ['sites.name', 'other'], ['site', 'plain']];
      return fc.record({
        value: fc.constant(value),
        entries: fc.shuffledSubarray(entries, { minLength: entries.length }),
      });
    });
    fc.assert(
      fc.property(shuffled, ({ value, entries }) => {
        expect(dottedMembers(entries, 'site')).toEqual(value);
      }),
    );
  });

  it('are nothing where no name begins so, and a value wins over what begins with its name', () => {
    expect(dottedMembers([['site', 'x']], 'site')).toBeUndefined();
    const both: [string, JsonValue][] = [
      ['site.a', 'value'],
      ['site.a.b', 'inner'],
    ];
    expect(dottedMembers(both, 'site')).toEqual({ a: 'value' });
    expect(dottedMembers(both.toReversed(), 'site')).toEqual({ a: 'value' });
  });

  it('change no value that they hold', () => {
    const value: JsonObject = Object.freeze({ b: 1 });
    expect(
      dottedMembers(
        [
          ['site.a', value],
          ['site.a.c', 2],
        ],
        'site',
      ),
    ).toEqual({ a: { b: 1 } });
  });

  it('are no deeper than values may be', () => {
    expect(dottedMembers([[`site${'.a'.repeat(100_000)}`, 1]], 'site')).toBeUndefined();
  });
});
