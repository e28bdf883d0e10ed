import { describe, expect, it } from 'vitest';
import type { HostMark, KeyedHost, MarkedBy, MarkStore, Storage } from '../ports/index.ts';
import { actor, archiveNames, blue, byteOrdered, minute, red, saveNames } from './samples.ts';

const filled: MarkedBy = { accountId: red.id, kind: 'section', value: 'vmware' };

const mark = (hostname: string, at: number, by: MarkedBy = filled): HostMark => ({ hostname, ...by, at: minute(at) });

async function unrenewed(marks: MarkStore, since: number, batchSize = 2, by = filled): Promise<string[][]> {
  const batches: string[][] = [];
  for await (const batch of marks.unrenewed({ ...by, since: minute(since), batchSize })) batches.push([...batch]);
  return batches;
}

export function describeMarkStoreContract(fresh: () => Storage): void {
  describe('MarkStore', () => {
    it('keeps each mark once, and its time never moves back', async () => {
      const { marks } = fresh();
      await marks.put({ ...filled, hostnames: ['a', 'b', 'a'], at: minute(2) });
      await marks.put({ ...filled, hostnames: ['a'], at: minute(5) });
      await marks.put({ ...filled, hostnames: ['a'], at: minute(3) });
      await marks.put({ ...filled, hostnames: [], at: minute(3) });
      expect(await marks.of(['b', 'a', 'unknown'])).toEqual([mark('a', 5), mark('b', 2)]);
      expect(await marks.count(filled)).toBe(2);
    });

    it('tells accounts, kinds and values apart', async () => {
      const { marks } = fresh();
      const others: MarkedBy[] = [
        { ...filled, accountId: blue.id },
        { ...filled, kind: 'part' },
        { ...filled, value: 'network' },
      ];
      for (const by of [filled, ...others]) await marks.put({ ...by, hostnames: ['a'], at: minute(1) });
      for (const by of [filled, ...others]) {
        expect(await marks.count(by)).toBe(1);
        expect(await unrenewed(marks, 2, 2, by)).toEqual([['a']]);
      }
      await marks.remove({ ...filled, hostnames: ['a'], since: minute(2) });
      expect((await marks.of(['a'])).length).toBe(3);
      expect(await marks.count(filled)).toBe(0);
    });

    it('names what an account marked, each value once and in byte order', async () => {
      const { marks } = fresh();
      for (const value of [...byteOrdered.toReversed(), ...byteOrdered]) {
        await marks.put({ ...filled, value, hostnames: ['a', 'b'], at: minute(1) });
      }
      await marks.put({ ...filled, kind: 'part', value: 'vms', hostnames: ['a'], at: minute(1) });
      await marks.put({ ...filled, accountId: blue.id, value: 'network', hostnames: ['a'], at: minute(1) });
      const { accountId } = filled;
      expect(await marks.values({ accountId, kind: 'section' })).toEqual([...byteOrdered]);
      expect(await marks.values({ accountId, kind: 'part' })).toEqual(['vms']);
      expect(await marks.values({ accountId, kind: 'key' })).toEqual([]);
    });

    it('gives what was not renewed in batches in byte order, also while it is taken back', async () => {
      const { marks } = fresh();
      await marks.put({ ...filled, hostnames: byteOrdered.toReversed(), at: minute(1) });
      await marks.put({ ...filled, hostnames: ['renewed'], at: minute(3) });
      const names = (await unrenewed(marks, 3)).flat();
      expect(names).toEqual([...byteOrdered]);
      expect((await unrenewed(marks, 3)).every((batch) => batch.length <= 2)).toBe(true);
      const seen: string[] = [];
      for await (const hostnames of marks.unrenewed({ ...filled, since: minute(3), batchSize: 2 })) {
        seen.push(...hostnames);
        await marks.remove({ ...filled, hostnames, since: minute(3) });
      }
      expect(seen).toEqual([...byteOrdered]);
      expect(await marks.count(filled)).toBe(1);
      expect(await unrenewed(marks, 1)).toEqual([]);
    });

    it('takes no mark back that was renewed meanwhile', async () => {
      const { marks } = fresh();
      await marks.put({ ...filled, hostnames: ['a', 'b'], at: minute(1) });
      await marks.put({ ...filled, hostnames: ['a'], at: minute(4) });
      await marks.remove({ ...filled, hostnames: ['a', 'b', 'unknown'], since: minute(3) });
      expect(await marks.of(['a', 'b'])).toEqual([mark('a', 4)]);
    });

    it('goes with a host that is deleted for good, and stays with one in the archive', async () => {
      const { hosts, marks } = fresh();
      await saveNames(hosts, ['kept', 'gone']);
      await marks.put({ ...filled, hostnames: ['kept', 'gone'], at: minute(1) });
      await archiveNames(hosts, ['gone']);
      expect(await marks.count(filled)).toBe(2);
      await hosts.purgeArchived(minute(60), { at: minute(61), actor });
      expect(await marks.of(['kept', 'gone'])).toEqual([mark('kept', 1)]);
    });

    it('goes with its account, of whatever kind it is', async () => {
      const { marks } = fresh();
      await marks.put({ ...filled, hostnames: ['a', 'b'], at: minute(1) });
      await marks.put({ ...filled, kind: 'part', hostnames: ['a'], at: minute(1) });
      await marks.putKeys({ accountId: filled.accountId, keys: [keyed('a', 'serial=1')], at: minute(1) });
      await marks.put({ ...filled, accountId: blue.id, hostnames: ['a'], at: minute(1) });
      expect(await marks.clear(filled.accountId)).toBe(4);
      expect((await marks.of(['a', 'b'])).map(({ accountId }) => accountId)).toEqual([blue.id]);
      expect(await marks.clear(filled.accountId)).toBe(0);
    });

    it('finds hosts by the keys that anybody left, and no other marks', async () => {
      const { marks } = fresh();
      const serial = 'serial=J4711';
      await marks.putKeys({ accountId: red.id, keys: [keyed('b', serial), keyed('a', serial)], at: minute(2) });
      await marks.putKeys({ accountId: blue.id, keys: [keyed('a', serial), keyed('a', 'mac=00:11')], at: minute(3) });
      await marks.putKeys({ accountId: red.id, keys: [keyed('a', serial)], at: minute(1) });
      await marks.putKeys({ accountId: red.id, keys: [], at: minute(9) });
      await marks.put({ accountId: red.id, kind: 'part', value: serial, hostnames: ['c'], at: minute(1) });
      const of = (accountId: string, value: string): MarkedBy => ({ accountId, kind: 'key', value });
      expect(await marks.holders([serial, 'mac=00:11', 'unknown', serial])).toEqual([
        mark('a', 3, of(blue.id, 'mac=00:11')),
        mark('a', 2, of(red.id, serial)),
        mark('a', 3, of(blue.id, serial)),
        mark('b', 2, of(red.id, serial)),
      ]);
      expect(await marks.holders([])).toEqual([]);
      expect(await marks.holders(['SERIAL=J4711', 'serial=J471', 'serial=J4711 '])).toEqual([]);
      expect((await marks.of(['b'])).map(({ kind, value }) => [kind, value])).toEqual([['key', serial]]);
    });

    it('gives the keys that were not renewed, by value and hostname, also while they are taken back', async () => {
      const { marks } = fresh();
      const keys = byteOrdered.flatMap((value) => ['b', 'a'].map((hostname) => keyed(hostname, value)));
      await marks.putKeys({ accountId: red.id, keys, at: minute(1) });
      await marks.putKeys({ accountId: red.id, keys: [keyed('a', 'renewed')], at: minute(3) });
      await marks.putKeys({ accountId: blue.id, keys: [keyed('a', 'of another')], at: minute(1) });
      await marks.put({ ...filled, hostnames: ['a'], at: minute(1) });
      const seen: KeyedHost[] = [];
      for await (const batch of marks.unrenewedKeys({ accountId: red.id, since: minute(3), batchSize: 3 })) {
        expect(batch.length).toBeLessThanOrEqual(3);
        seen.push(...batch);
        await marks.removeKeys({ accountId: red.id, keys: batch, since: minute(3) });
      }
      expect(seen).toEqual(byteOrdered.flatMap((value) => ['a', 'b'].map((hostname) => keyed(hostname, value))));
      await marks.removeKeys({ accountId: red.id, keys: [keyed('a', 'renewed')], since: minute(3) });
      const left = (await marks.of(['a', 'b'])).map(({ value, accountId }) => [value, accountId]);
      expect(left).toEqual([
        ['of another', blue.id],
        ['renewed', red.id],
        ['vmware', red.id],
      ]);
    });
  });
}

function keyed(hostname: string, value: string): KeyedHost {
  return { hostname, value };
}
