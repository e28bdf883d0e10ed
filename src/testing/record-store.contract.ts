import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RecordChange, RecordQuery, RecordStore } from '../ports/index.ts';

/** How a store shows its records to their contract. */
export interface RecordHarness {
  /** Records of a store that holds nothing. */
  create(): Promise<{ readonly records: RecordStore; close(): Promise<void> }>;
}

const KIND = 'things';

function put(key: string, value: unknown = key, more: Partial<RecordChange> = {}): RecordChange {
  return { kind: KIND, key, value: JSON.stringify(value), ...more };
}

/** `RecordStore`: what everything is built on that a store keeps by a key. */
export function describeRecordStoreContract(name: string, harness: RecordHarness): void {
  describe(`${name}: RecordStore`, () => {
    let opened: Awaited<ReturnType<RecordHarness['create']>>;
    beforeEach(async () => {
      opened = await harness.create();
    });
    afterEach(() => opened.close());

    const store = (): RecordStore => opened.records;
    const write = (...changes: RecordChange[]) => store().write(changes);
    const keysOf = async (
      query: Omit<RecordQuery, 'kind'> & { readonly limit?: number; readonly descending?: boolean },
    ) => (await store().list({ limit: 100, ...query, kind: KIND })).records.map(({ key }) => key);
    const versionOf = async (key: string): Promise<number> => {
      const version = (await store().get(KIND, [key])).records.get(key)?.version;
      if (version === undefined) throw new Error(`there is no ${key}`);
      return version;
    };

    it('gives records back as they went in, whatever stands in them', async () => {
      const keys = [
        'plain',
        '',
        'a\u0000b',
        'a\u0001b',
        '\u0001\u0001',
        '\u0000',
        "it's; DROP TABLE --",
        '$x.y',
        '__proto__',
        '\u{1f600}',
      ];
      const value = { text: 'a\u0000b\ud800', 10: 'ten', '2': [1, null], nested: { __proto__: null } };
      expect(await write(...keys.map((key) => put(key, value)))).toBe(0);
      const { records } = await store().get(KIND, [...keys, 'absent']);
      expect([...records.keys()].sort()).toEqual([...keys].sort());
      for (const { value: text } of records.values()) expect(text).toBe(JSON.stringify(value));
      expect((await store().get('others', keys)).records.size).toBe(0);
    });

    it('keeps the text of a value to the letter: order, repeated members, escapes', async () => {
      const text = '{"b":1,"a":2,"10":3,"2":4,"b":5,"\\u0000":"\\ud83d"}';
      await write({ kind: KIND, key: 'a', value: text });
      expect((await store().get(KIND, ['a'])).records.get('a')?.value).toBe(text);
    });

    it('takes halves of surrogate pairs in keys as U+FFFD', async () => {
      await write(put('a\ud800', 1, { sorts: ['s\udfff'] }));
      expect([...(await store().get(KIND, ['a\ufffd'])).records.keys()]).toEqual(['a\ufffd']);
      expect([...(await store().get(KIND, ['a\ud800'])).records.keys()]).toEqual(['a\ufffd']);
      expect(await keysOf({ by: 0, from: 's\ufffd' })).toEqual(['a\ufffd']);
    });

    it('lists by key in byte order of UTF-8, within a range, from either end', async () => {
      const sorted = [
        '',
        '\u0000',
        '\u0000a',
        '\u0001',
        'B',
        'a',
        'a\u0000',
        'a\u0000b',
        'a\u0001',
        'ab',
        '\uffff',
        '\u{10000}',
      ];
      await write(...sorted.toReversed().map((key) => put(key)));
      expect(await keysOf({})).toEqual(sorted);
      expect(await keysOf({ descending: true })).toEqual(sorted.toReversed());
      expect(await keysOf({ limit: 2 })).toEqual(sorted.slice(0, 2));
      expect(await keysOf({ limit: 0 })).toEqual([]);
      expect(await keysOf({ from: 'a', before: 'ab' })).toEqual(['a', 'a\u0000', 'a\u0000b', 'a\u0001']);
      expect(await keysOf({ after: 'a', before: 'ab' })).toEqual(['a\u0000', 'a\u0000b', 'a\u0001']);
      expect(await keysOf({ from: 'a\u0000', before: 'a\u0001', descending: true })).toEqual(['a\u0000b', 'a\u0000']);
      expect(await store().count({ kind: KIND, from: 'a', before: 'ab' })).toBe(4);
      expect(await store().count({ kind: KIND })).toBe(sorted.length);
    });

    it('lists by each sort key, those of equal ones by key, and leaves out who has none', async () => {
      await write(
        put('one', 1, { sorts: ['x', null, 'b\u00002'] }),
        put('two', 2, { sorts: ['x', 'y'] }),
        put('three', 3, { sorts: [null, 'a', 'b\u00001', 'z'] }),
        put('four', 4),
      );
      expect(await keysOf({ by: 0 })).toEqual(['one', 'two']);
      expect(await keysOf({ by: 0, descending: true })).toEqual(['two', 'one']);
      expect(await keysOf({ by: 1 })).toEqual(['three', 'two']);
      expect(await keysOf({ by: 2, from: 'b\u0000', before: 'b\u0001' })).toEqual(['three', 'one']);
      expect(await keysOf({ by: 3 })).toEqual(['three']);
      expect(await store().count({ kind: KIND, by: 0 })).toBe(2);
      await write(put('one', 1, { sorts: ['w'] }));
      expect(await keysOf({ by: 0 })).toEqual(['one', 'two']);
      expect(await keysOf({ by: 2 })).toEqual(['three']);
    });

    it('tells its time with every answer', async () => {
      const { now } = await store().get(KIND, []);
      expect(Number.isSafeInteger(now)).toBe(true);
      await write(put('a'));
      expect((await store().get(KIND, ['a'])).now).toBeGreaterThanOrEqual(now);
      expect((await store().list({ kind: 'others', limit: 1 })).now).toBeGreaterThanOrEqual(now);
    });

    it('gives another version with each write, and never one again', async () => {
      const versions = new Set<number>();
      for (let round = 0; round < 3; round++) {
        await write(put('a', round));
        versions.add(await versionOf('a'));
        await write(put('a', round));
        versions.add(await versionOf('a'));
        await write({ kind: KIND, key: 'a', value: null });
      }
      expect(versions.size).toBe(6);
      expect((await store().get(KIND, ['a'])).records.size).toBe(0);
    });

    it('does nothing where a record has another version than is expected', async () => {
      await write(put('a'), put('b'));
      const version = await versionOf('a');
      expect(await write(put('c'), put('a', 2, { expect: version + 1_000_000 }), put('b', 2))).toBeNull();
      expect(await write(put('b', 2), put('a', 2, { expect: null }))).toBeNull();
      expect(await write(put('absent', 2, { expect: version }), put('b', 2))).toBeNull();
      expect(await write({ kind: KIND, key: 'absent', value: null, expect: version }, put('b', 2))).toBeNull();
      expect(await keysOf({})).toEqual(['a', 'b']);
      expect((await store().get(KIND, ['b'])).records.get('b')?.value).toBe('"b"');
      expect(await write(put('a', 2, { expect: version }), put('c', 1, { expect: null }))).toBe(0);
      expect(await write(put('a', 3, { expect: version }))).toBeNull();
      expect((await store().get(KIND, ['a'])).records.get('a')?.value).toBe('2');
      expect(await write({ kind: KIND, key: 'a', value: null, expect: await versionOf('a') })).toBe(0);
      expect(await keysOf({})).toEqual(['b', 'c']);
    });

    it('carries changes out in their order', async () => {
      await write(put('a', 1), put('b', 1));
      const removal: RecordChange = { remove: { kind: KIND } };
      expect(await write(put('c', 1), removal, put('d', 1))).toBe(3);
      expect(await keysOf({})).toEqual(['d']);
      await write(put('e', 1), { kind: KIND, key: 'e', value: null }, put('f', 1), put('f', 2));
      expect(await keysOf({})).toEqual(['d', 'f']);
      expect((await store().get(KIND, ['f'])).records.get('f')?.value).toBe('2');
    });

    it('removes ranges of keys and of sort keys, except for those that stay', async () => {
      await write(...['a', 'b', 'c', 'd'].map((key, place) => put(key, key, { sorts: [String(place)] })));
      await write({ kind: 'others', key: 'b', value: '1' });
      expect(await write({ remove: { kind: KIND, from: 'b', before: 'd' }, except: ['c'] })).toBe(1);
      expect(await keysOf({})).toEqual(['a', 'c', 'd']);
      expect(await write({ remove: { kind: KIND, by: 0, before: '3' } })).toBe(2);
      expect(await keysOf({})).toEqual(['d']);
      expect(await store().count({ kind: 'others' })).toBe(1);
      expect(await write()).toBe(0);
    });

    it('lets one of many succeed who expect the same', async () => {
      const tries = await Promise.all(Array.from({ length: 20 }, (_, n) => write(put('a', n, { expect: null }))));
      expect(tries.filter((done) => done !== null).length).toBe(1);
      const version = await versionOf('a');
      const changed = await Promise.all(
        Array.from({ length: 20 }, (_, n) => write(put('a', n, { expect: version }), put(`b${n}`))),
      );
      expect(changed.filter((done) => done !== null).length).toBe(1);
      expect((await keysOf({})).length).toBe(2);
    });

    it('holds many records, and large ones', async () => {
      const keys = Array.from({ length: 3_000 }, (_, n) => String(n).padStart(5, '0'));
      await write(...keys.map((key) => put(key)));
      expect(await store().count({ kind: KIND })).toBe(3_000);
      expect((await store().get(KIND, keys)).records.size).toBe(3_000);
      const large = 'x'.repeat(12_000_000);
      await write(put('large', large));
      expect((await store().get(KIND, ['large'])).records.get('large')?.value.length).toBe(large.length + 2);
      expect(await write({ remove: { kind: KIND } })).toBe(3_001);
    });
  });
}
