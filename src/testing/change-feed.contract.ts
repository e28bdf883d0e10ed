import { describe, expect, it } from 'vitest';
import type { ChangeFeed, FeedEntry, FeedPage, HostRecord, Storage } from '../ports/index.ts';
import { StoredJson } from '../ports/index.ts';
import {
  actor,
  archiveNames,
  blue,
  documentOf,
  labelsOf,
  minute,
  red,
  save,
  saveNames,
  saveSection,
} from './samples.ts';

export function describeChangeFeedContract(fresh: () => Storage): void {
  describe('ChangeFeed', () => {
    it('tells everything that happens to hosts, oldest first, by whom', async () => {
      const { hosts, feed } = fresh();
      const robot = { kind: 'account', name: 'robot' } as const;
      await save(hosts, { alpha: { n: 1 }, beta: {} }, { actor: robot });
      await save(hosts, { alpha: { n: 2 } }, { at: minute(2) });
      await save(hosts, { alpha: { n: 2 } }, { at: minute(3) });
      await saveSection(hosts, 'beta', 'hw', { cpu: 1 }, 4);
      await archiveNames(hosts, ['alpha']);
      await hosts.restore({ hostnames: ['alpha'], at: minute(6), scope: null, actor });
      await save(hosts, { alpha: { n: 2 } }, { at: minute(7), account: blue, takeOver: true });
      await hosts.rename({ hosts: [{ from: 'beta', to: 'gamma' }], at: minute(8), actor });

      const entries = await everything(feed);

      expect(entries.map(({ kind, hostname, at }) => [kind, hostname, at])).toEqual([
        ['created', 'alpha', minute(1)],
        ['created', 'beta', minute(1)],
        ['labels', 'alpha', minute(2)],
        ['inventory', 'beta', minute(4)],
        ['archived', 'alpha', minute(5)],
        ['restored', 'alpha', minute(6)],
        ['account', 'alpha', minute(7)],
        ['renamed', 'gamma', minute(8)],
      ]);
      expect(entries[0]).toMatchObject({
        actor: robot,
        changes: [],
        whole: true,
        current: null,
        reach: { accountId: red.id, templates: [] },
      });
      expect(entries[2]).toMatchObject({
        actor,
        changes: [{ path: 'labels.n', before: 1, after: 2 }],
        whole: false,
        current: 'alpha',
        reach: null,
      });
      // By the name that the host had then, and with the one that it has by now.
      expect(entries[3]).toMatchObject({ hostname: 'beta', current: 'gamma' });
      expect(entries[6]?.reach).toEqual({ accountId: red.id, templates: [] });
      expect(entries[7]).toMatchObject({
        changes: [{ path: 'hostname', before: 'beta', after: 'gamma' }],
        whole: true,
        current: 'gamma',
        reach: { accountId: red.id, templates: [] },
      });
    });

    it('goes on behind each entry and each page, with the same ids', async () => {
      const { hosts, feed } = fresh();
      await saveNames(hosts, ['a', 'b', 'c', 'd']);
      await save(hosts, { b: { n: 1 } }, { at: minute(2) });
      const all = await everything(feed);
      expect(new Set(all.map(({ id }) => id)).size).toBe(5);
      for (const limit of [1, 2, 3, 7]) {
        const pages = await pagesOf(feed, 'start', limit);
        expect(read(pages)).toEqual(all);
        expect(pages.every(({ entries }) => entries.length <= limit)).toBe(true);
      }
      for (const [index, { next }] of all.entries()) {
        expect(read([await page(feed, next)])).toEqual(all.slice(index + 1));
      }
    });

    it('begins behind what is there when it is asked for now', async () => {
      const { hosts, feed } = fresh();
      await saveNames(hosts, ['a']);
      const { next, more, entries } = await page(feed, 'now');
      expect([more, entries]).toEqual([false, []]);
      await saveNames(hosts, ['b']);
      expect(namesOf(await page(feed, next))).toEqual(['b']);
      expect(namesOf(await page(feed, 'now'))).toEqual([]);
    });

    it('tells of deletions for good, and nothing more of what the history of the host said', async () => {
      const { hosts, feed } = fresh();
      const templates = [{ $oid: 'dddddddddddddddddddddddd' }];
      await hosts.putDocuments(
        [
          {
            record: documentOf('alpha', { members: StoredJson.ofValue({ cmdb_templates: templates }) }),
            mode: 'skip',
            relations: [],
          },
        ],
        actor,
      );
      await save(hosts, { alpha: { secret: 1 }, beta: {} }, { at: minute(2) });
      await hosts.rename({ hosts: [{ from: 'alpha', to: 'omega' }], at: minute(3), actor });
      await archiveNames(hosts, ['omega', 'beta']);
      const by = { kind: 'user', name: 'grace' } as const;
      await hosts.purge({ hostnames: ['omega', 'omega', 'unknown'], scope: null, at: minute(7), actor: by });
      await hosts.purgeArchived(minute(9), { at: minute(8), actor });

      const entries = await everything(feed);

      expect(entries.map(({ kind, hostname }) => [kind, hostname])).toEqual([
        ['created', 'alpha'],
        ['created', 'beta'],
        ['renamed', 'omega'],
        ['deleted', 'omega'],
        ['deleted', 'beta'],
      ]);
      expect(entries[2]).toMatchObject({
        changes: [{ path: 'hostname', before: 'alpha', after: 'omega' }],
        current: null,
      });
      expect(entries[3]).toMatchObject({
        at: minute(7),
        actor: by,
        changes: [],
        whole: false,
        current: null,
        reach: { accountId: red.id, templates: ['dddddddddddddddddddddddd'] },
      });
    });

    it('tells of a record that takes the place of another with nothing else different that the history keeps', async () => {
      const { hosts, feed } = fresh();
      const put = (values: Partial<HostRecord>) =>
        hosts.putDocuments([{ record: documentOf('alpha', values), mode: 'replace', relations: [] }], actor);
      await put({});
      await put({});
      await put({ members: StoredJson.ofValue({ lifecycle_state: 'planned' }) });
      await put({ objectType: 'contact' });
      await put({ objectType: 'contact', isObject: true, labels: labelsOf({ os: 'other' }) });
      const told = (await everything(feed)).map(({ kind, whole }) => [kind, whole]);
      expect(told).toEqual([
        ['created', true],
        ['templates', true],
        ['templates', true],
        ['labels', false],
        ['templates', true],
      ]);
    });

    it('is not open where nobody writes', async () => {
      const { hosts, feed } = fresh();
      await saveNames(hosts, ['a', 'b']);
      for (const limit of [1, 5]) expect(await page(feed, 'start', limit)).toMatchObject({ isOpen: false });
    });

    it('never leads to the change of another host once a host was deleted for good', async () => {
      const { hosts, feed } = fresh();
      await saveNames(hosts, ['alpha', 'beta']);
      await save(hosts, { alpha: { n: 1 } }, { at: minute(2) });
      await archiveNames(hosts, ['alpha']);
      await hosts.purge({ hostnames: ['alpha'], scope: null, at: minute(6), actor });
      await save(hosts, { beta: { n: 2 } }, { at: minute(2) });
      const told = (await everything(feed)).map(({ kind, hostname, current }) => [kind, hostname, current]);
      expect(told).toEqual([
        ['created', 'alpha', null],
        ['created', 'beta', null],
        ['deleted', 'alpha', null],
        ['labels', 'beta', 'beta'],
      ]);
    });

    it('says who reached a host before its account or templates changed, and after', async () => {
      const { hosts, feed } = fresh();
      const withTemplate = (id: string, accountId = red.id) =>
        documentOf('alpha', { accountId, members: StoredJson.ofValue({ cmdb_templates: [{ $oid: id }] }) });
      const put = (record: ReturnType<typeof documentOf>) =>
        hosts.putDocuments([{ record, mode: 'replace', relations: [] }], actor);
      await put(withTemplate('one'));
      await put(withTemplate('one'));
      await put(withTemplate('two'));
      await put(withTemplate('three', blue.id));
      await save(hosts, { alpha: { n: 1 } }, { at: minute(7), account: red, takeOver: true });
      const told = (await everything(feed))
        .filter(({ kind }) => kind !== 'labels')
        .map(({ kind, reach, reachAfter }) => [kind, reach, reachAfter]);
      const reach = (accountId: string, template: string) => ({ accountId, templates: [template] });
      expect(told).toEqual([
        ['created', reach(red.id, 'one'), null],
        ['templates', reach(red.id, 'one'), reach(red.id, 'two')],
        ['account', reach(red.id, 'two'), reach(blue.id, 'three')],
        ['account', reach(blue.id, 'three'), reach(red.id, 'three')],
      ]);
    });

    it('says that it is gone once changes behind a cursor were pruned', async () => {
      const { hosts, history, feed } = fresh();
      const beginning = (await page(feed, 'now')).next;
      await saveNames(hosts, ['a'], { at: minute(1) });
      const first = (await page(feed, 'start')).next;
      await saveNames(hosts, ['b'], { at: minute(5) });
      const second = (await page(feed, 'start')).next;
      await saveNames(hosts, ['c'], { at: minute(9) });
      await history.prune(minute(6));
      expect(await feed.after(beginning, 10)).toBe('gone');
      expect(await feed.after(first, 10)).toBe('gone');
      expect(namesOf(await page(feed, second))).toEqual(['c']);
      expect(namesOf(await page(feed, 'start'))).toEqual(['c']);
      await history.prune(minute(60));
      expect(await feed.after(second, 10)).toBe('gone');
      const now = await page(feed, 'start');
      expect(namesOf(now)).toEqual([]);
      await saveNames(hosts, ['d'], { at: minute(70) });
      expect(namesOf(await page(feed, now.next))).toEqual(['d']);
    });

    it('is another one once the store holds what another one held', async () => {
      const { hosts, transfer, feed } = fresh();
      await saveNames(hosts, ['a']);
      const { next } = await page(feed, 'start');
      const copy: { part: 'hosts'; records: Parameters<typeof transfer.write>[1] }[] = [];
      for await (const records of transfer.read('hosts', { batchSize: 10 })) copy.push({ part: 'hosts', records });
      await transfer.clear();
      expect(await feed.after(next, 10)).toBe('gone');
      const cleared = await page(feed, 'start');
      expect(cleared.entries).toEqual([]);
      for (const { part, records } of copy) await transfer.write(part, records);
      expect(await feed.after(cleared.next, 10)).toBe('gone');
      expect((await page(feed, 'start')).entries).toEqual([]);
      await saveNames(hosts, ['b']);
      expect(namesOf(await page(feed, 'start'))).toEqual(['b']);
    });

    it('takes nothing for a cursor that it did not give', async () => {
      const { hosts, feed } = fresh();
      await saveNames(hosts, ['a']);
      const { next } = await page(feed, 'start');
      for (const since of [
        '',
        'x',
        '1.2.3',
        `${next}A`,
        next.toUpperCase(),
        'A'.repeat(22),
        [...next].reverse().join(''),
      ]) {
        expect(await feed.after(since, 10)).toBe('gone');
      }
    });

    it('holds a bulk together with the rest, page by page', async () => {
      const { hosts, feed } = fresh();
      const names = Array.from({ length: 1_203 }, (_, number) => `host${String(number).padStart(4, '0')}`);
      await saveNames(hosts, names);
      await saveNames(hosts, ['last']);
      const pages = await pagesOf(feed, 'start', 250);
      expect(pages.flatMap(namesOf)).toEqual([...names, 'last']);
    });

    it('gives pages of bounded size', async () => {
      const { hosts, feed } = fresh();
      await save(hosts, { alpha: {} });
      for (const n of [1, 2, 3, 4, 5, 6, 7]) {
        await saveSection(hosts, 'alpha', 'hw', { text: `${n}`.repeat(900_000) }, n + 1);
      }
      const pages = await pagesOf(feed, 'start', 100);
      expect(pages.length).toBeGreaterThan(1);
      expect(pages.flatMap(({ entries }) => entries).length).toBe(8);
    });

    it('leaves nothing out while many write at once', async () => {
      const { hosts, feed } = fresh();
      const names = Array.from({ length: 40 }, (_, number) => `host${number}`);
      const seen: FeedEntry[] = [];
      let since = (await page(feed, 'start')).next;
      let isOver = false;
      const following = (async () => {
        for (;;) {
          const wasOver = isOver;
          const { entries, next } = await page(feed, since, 3);
          seen.push(...entries);
          since = next;
          if (wasOver && entries.length === 0) return;
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
      await Promise.all(
        names.map(async (name) => {
          await saveNames(hosts, [name]);
          await hosts.saveLabels({
            account: red,
            at: minute(2),
            actor,
            entries: [{ hostname: name, labels: labelsOf({ os: 'bsd' }) }],
          });
        }),
      );
      isOver = true;
      await following;
      for (const name of names) {
        const own = seen.filter(({ hostname }) => hostname === name).map(({ kind }) => kind);
        expect([name, ...own]).toEqual([name, 'created', 'labels']);
      }
    });
  });
}

async function page(feed: ChangeFeed, since: string, limit = 1_000): Promise<FeedPage> {
  const found = await feed.after(since, limit);
  if (found === 'gone') throw new Error(`the cursor ${since} is gone`);
  return found;
}

async function pagesOf(feed: ChangeFeed, since: string, limit: number): Promise<readonly FeedPage[]> {
  const pages: FeedPage[] = [];
  for (let cursor = since; ; ) {
    const found = await page(feed, cursor, limit);
    pages.push(found);
    if (!found.more) return pages;
    cursor = found.next;
  }
}

async function everything(feed: ChangeFeed) {
  return read(await pagesOf(feed, 'start', 1_000));
}

function read(pages: readonly FeedPage[]) {
  return pages.flatMap(({ entries }) => entries.map((entry) => ({ ...entry, changes: entry.changes.value })));
}

function namesOf({ entries }: FeedPage): readonly string[] {
  return entries.map(({ hostname }) => hostname);
}
