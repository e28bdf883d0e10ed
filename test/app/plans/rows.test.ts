import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { sqliteScratch } from '../../../src/adapters/scratch/sqlite-scratch.ts';
import { MemoryShare, type Places, Rows } from '../../../src/app/exports/plans/rows.ts';

interface Place {
  one: string | undefined;
  other: string | undefined;
}

function tables(scratch: ReturnType<typeof sqliteScratch>, bytes: number) {
  const places: Places<Place> = {
    share: new MemoryShare(bytes),
    all: new Map(),
    empty: () => ({ one: undefined, other: undefined }),
  };
  const column = (name: keyof Place) => ({
    of: (place: Place) => place[name],
    set(place: Place, value: string | undefined) {
      place[name] = value;
    },
  });
  return {
    one: new Rows<Place, string>(scratch, 'one', places, column('one')),
    other: new Rows<Place, string>(scratch, 'other', places, column('other')),
  };
}

async function all(steps: AsyncGenerator<readonly (readonly [string, string])[]>): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for await (const step of steps) found.push(...step.map(([key, value]): [string, string] => [key, value]));
  return found;
}

const keys = fc.constantFrom('a', 'b', 'b\u0000c', 'd', 'e', 'lone \ud800', 'lone \ufffd', '\uffff', '\u{10ffff}');
const rows = fc.array(fc.tuple(keys, fc.constantFrom('x', 'y', 'z'.repeat(300))), { maxLength: 6 });
const names = fc.constantFrom('one' as const, 'other' as const);
const steps = fc.oneof(
  fc.record({ what: fc.constant('put' as const), table: names, rows }),
  fc.record({ what: fc.constant('add' as const), table: names, rows }),
  fc.record({ what: fc.constant('remove' as const), table: names, keys: fc.array(keys) }),
  fc.record({ what: fc.constant('in order' as const), table: names }),
);

/** What the disk makes of a key. */
const kept = (key: string): string => Buffer.from(key).toString();
const sorted = (found: Iterable<[string, string]>): [string, string][] =>
  [...found].sort(([left], [right]) => Buffer.compare(Buffer.from(left), Buffer.from(right)));

it('rows are the same wherever they are: in memory, on the disk, or some here and some there', async () => {
  const asked = ['a', 'b', 'b\u0000c', 'd', 'e', 'lone \ud800', 'lone \ufffd', '\uffff', '\u{10ffff}', 'never there'];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(0, 300, 700, 1_500, 100_000), fc.array(steps), async (bytes, done) => {
      const scratch = sqliteScratch();
      const tested = tables(scratch, bytes);
      const model = { one: new Map<string, string>(), other: new Map<string, string>() };
      for (const step of done) {
        const [table, expected] = [tested[step.table], model[step.table]];
        if (step.what === 'put') {
          table.put(step.rows);
          for (const [key, value] of step.rows) expected.set(kept(key), value);
        } else if (step.what === 'add') {
          const isNew = step.rows.map(([key, value]) => {
            if (expected.has(kept(key))) return false;
            expected.set(kept(key), value);
            return true;
          });
          expect(table.add(step.rows)).toEqual(isNew);
        } else if (step.what === 'remove') {
          table.remove(step.keys);
          for (const key of step.keys) expected.delete(kept(key));
        } else expect(await all(table.inOrder())).toEqual(sorted(expected));
        expect(table.get(asked)).toEqual(asked.map((key) => expected.get(kept(key))));
        expect(asked.map((key) => table.one(key))).toEqual(table.get(asked));
      }
      const { one, other } = tested;
      expect(sorted(await all(one.steps()))).toEqual(sorted(model.one));
      const without = [...model.one].filter(([key]) => !model.other.has(key));
      expect(sorted(await all(one.stepsWithout(other)))).toEqual(sorted(without));
      scratch.close();
    }),
  );
});
