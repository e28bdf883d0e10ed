import { describe, expect, it } from 'vitest';
import type { HostMark, MarkedBy, MarkStore, Storage } from '../ports/index.ts';
import { archiveNames, blue, byteOrdered, minute, red, saveNames } from './samples.ts';

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
      await hosts.purgeArchived(minute(60));
      expect(await marks.of(['kept', 'gone'])).toEqual([mark('kept', 1)]);
    });
  });
}
