import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { sqliteScratch } from '../../../src/adapters/scratch/sqlite-scratch.ts';
import { compareUtf8, wellFormed } from '../../../src/adapters/storage/shared/utf8-order.ts';
import type { Scratch } from '../../../src/ports/index.ts';

const opened: Scratch[] = [];

function fresh(): Scratch {
  const scratch = sqliteScratch();
  opened.push(scratch);
  return scratch;
}

afterEach(() => {
  for (const scratch of opened.splice(0)) scratch.close();
});

const keys = fc.oneof(
  fc.constantFrom('a', 'a\u0000b', 'a\u0000c', 'ab', 'b', '\uffff', '\u{10ffff}', '%', '_'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }).map(wellFormed),
);

describe('the scratch', () => {
  it('is a map in byte order of its keys', () => {
    const rows = fc.array(fc.tuple(keys, fc.string()), { maxLength: 30 });
    fc.assert(
      fc.property(rows, fc.array(keys, { maxLength: 5 }), keys, keys, (put, removed, prefix, after) => {
        const table = fresh().table('one');
        const model = new Map<string, string>();
        table.put(put);
        for (const [key, text] of put) model.set(key, text);
        table.remove(removed);
        for (const key of removed) model.delete(key);
        const sorted = [...model].sort(([left], [right]) => compareUtf8(left, right));
        expect(table.count()).toBe(model.size);
        expect(table.page({ limit: 100 })).toEqual(sorted);
        expect(table.get(removed)).toEqual(removed.map(() => undefined));
        expect(table.get([...model.keys()])).toEqual([...model.values()]);
        const behind = sorted.filter(([key]) => compareUtf8(key, after) > 0);
        expect(table.page({ after, limit: 2 })).toEqual(behind.slice(0, 2));
        expect(table.page({ prefix, limit: 100 })).toEqual(sorted.filter(([key]) => key.startsWith(prefix)));
        expect(table.page({ prefix, after, limit: 1 })).toEqual(
          behind.filter(([key]) => key.startsWith(prefix)).slice(0, 1),
        );
      }),
    );
  });

  it('adds what is not there yet, and tells of each whether it did', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(keys, fc.string())), fc.array(fc.tuple(keys, fc.string())), (put, added) => {
        const table = fresh().table('one');
        const model = new Map(put);
        table.put(put);
        const expected = added.map(([key, text]) => {
          const isNew = !model.has(key);
          if (isNew) model.set(key, text);
          return isNew;
        });
        expect(table.add(added)).toEqual(expected);
        expect(table.get([...model.keys()])).toEqual([...model.values()]);
      }),
    );
  });

  it('goes through what another table does not have, however small the steps are', () => {
    const rows = fc.array(fc.tuple(keys, fc.string()));
    fc.assert(
      fc.property(rows, fc.array(keys), fc.integer({ min: 1, max: 4 }), (put, others, limit) => {
        const scratch = fresh();
        const [one, two] = [scratch.table('one'), scratch.table('two')];
        one.put(put);
        two.put(others.map((key) => [key, 'other']));
        const found: (readonly [string, string])[] = [];
        for (let after = ''; ; ) {
          const step = one.pageWithout('two', { after, limit });
          if (step.last === undefined) break;
          expect(compareUtf8(step.last, after)).toBeGreaterThan(0);
          expect(step.rows.length).toBeLessThanOrEqual(limit);
          found.push(...step.rows);
          after = step.last;
        }
        const expected = [...new Map(put)].filter(([key]) => !others.includes(key));
        expect(found).toEqual(expected.sort(([left], [right]) => compareUtf8(left, right)));
      }),
    );
  });

  it('keeps tables apart', () => {
    const scratch = fresh();
    scratch.table('one').put([['a', '1']]);
    expect(scratch.table('two').count()).toBe(0);
    expect(scratch.table('one').get(['a'])).toEqual(['1']);
  });

  it.skipIf(!existsSync('/proc/self/fd'))('leaves no file behind that has a name', () => {
    const table = fresh().table('one');
    const text = 'x'.repeat(1_000);
    for (let from = 0; from < 40_000; from += 500) {
      table.put(Array.from({ length: 500 }, (_, n) => [String(from + n), text] as const));
    }
    const files = readdirSync('/proc/self/fd').flatMap((descriptor) => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`);
      } catch {
        return [];
      }
    });
    expect(files.filter((path) => path.includes('etilqs') && !path.endsWith('(deleted)'))).toEqual([]);
    expect(files.filter((path) => path.includes('etilqs')).length).toBeGreaterThan(0);
  });
});
