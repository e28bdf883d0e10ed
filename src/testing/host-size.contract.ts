import { describe, expect, it } from 'vitest';
import {
  DEFAULT_MAX_HOST_BYTES,
  type HostRecord,
  type HostStore,
  PAGE_CHARACTERS,
  type Storage,
  StoredJson,
} from '../ports/index.ts';
import {
  activeHosts,
  actor,
  blue,
  collect,
  documentOf,
  labelsOf,
  labelWrite,
  minute,
  ofAccounts,
  red,
  save,
  saveSection,
} from './samples.ts';

/** Returns a text of this many bytes, in characters of two. */
function textOf(bytes: number): string {
  return 'é'.repeat(bytes / 2);
}

function charactersOf(records: readonly HostRecord[]): number {
  return records.reduce((sum, { labels, inventory }) => sum + labels.text.length + inventory.text.length, 0);
}

const HALF = DEFAULT_MAX_HOST_BYTES / 2;

function contribute(hosts: HostStore, bytes: number, runId: string) {
  const entries = [{ hostname: 'alpha', labels: labelsOf({ more: textOf(bytes) }) }];
  return hosts.contributeLabels({ accountId: blue.id, precedence: 1, entries, at: minute(3), actor, runId });
}

/** How large a host may be: `DEFAULT_MAX_HOST_BYTES` for a store that was given no other limit. */
export function describeSizeContract(fresh: () => Storage): void {
  describe('the size of a host', () => {
    it('is that of its labels and all of its sections together, in bytes', async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: { os: 'linux' } });
      expect(await saveSection(hosts, 'alpha', 'one', { text: textOf(HALF) })).toBe('updated');
      expect(await saveSection(hosts, 'alpha', 'two', { text: textOf(HALF) })).toBe('too_large');
      expect(await save(hosts, { alpha: { text: textOf(HALF) } }, { at: minute(9) })).toEqual(['too_large']);
      const host = await hosts.get('alpha', null);
      expect(host?.labels.value).toEqual({ os: 'linux' });
      expect(Object.keys(host?.inventory.value ?? {})).toEqual(['one']);
      expect(host?.lastSeen).toEqual(minute(1));
    });

    it('is decided entry by entry, and those that fit are written', async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: {}, beta: {} });
      const entries = ['one', 'two', 'three'].map((key, index) => ({
        hostname: 'alpha',
        key,
        section: StoredJson.ofValue({ text: textOf(index === 2 ? 10 : HALF) }),
      }));
      expect(await hosts.saveInventory({ entries, scope: null, at: minute(2), actor })).toEqual([
        'updated',
        'too_large',
        'updated',
      ]);
      const large = labelsOf({ text: textOf(2 * HALF) });
      const write = { ...labelWrite({}), entries: [{ hostname: 'new', labels: large }] };
      expect(await hosts.previewLabels(write)).toMatchObject([{ outcome: 'too_large' }]);
      expect(await hosts.saveLabels(write)).toEqual(['too_large']);
      expect(await hosts.find('new')).toBeUndefined();
    });

    it('counts what everybody contributes', async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: { text: textOf(HALF) } });
      expect(await contribute(hosts, HALF, 'first')).toEqual(['too_large']);
      expect(await hosts.contributions('alpha')).toEqual([]);
      expect(await contribute(hosts, 1_000, 'second')).toEqual(['updated']);
      expect(await save(hosts, { alpha: { text: textOf(2 * HALF - 500) } })).toEqual(['too_large']);
    });

    it('may shrink when it is larger than it may be, and not grow', async () => {
      const { hosts } = fresh();
      const labels = labelsOf({ one: textOf(HALF), two: textOf(HALF) });
      await hosts.putDocuments([{ record: documentOf('alpha', { labels }), mode: 'skip', relations: [] }], actor);
      expect(await saveSection(hosts, 'alpha', 'hw', { cores: 4 })).toBe('too_large');
      expect((await hosts.get('alpha', ofAccounts(red.id)))?.labels.text.length).toBeGreaterThan(HALF);
      expect(await save(hosts, { alpha: { one: textOf(HALF), two: textOf(HALF - 2) } })).toEqual(['updated']);
      expect(await save(hosts, { alpha: { one: textOf(HALF) } })).toEqual(['updated']);
      expect(await saveSection(hosts, 'alpha', 'hw', { cores: 4 })).toBe('updated');
    });

    it('bounds what is read at once: pages and batches of large hosts are smaller, and none is left out', async () => {
      const { hosts } = fresh();
      const names = ['a', 'b', 'c', 'd', 'e', 'f'];
      for (const name of names) await save(hosts, { [name]: { text: 'x'.repeat(HALF) } });
      const pages = await hosts.page({ filter: activeHosts, offset: 0, limit: 100 });
      // A page may end one record behind the limit, and one of these records is larger than that.
      expect(pages).toHaveLength(1);
      for await (const batch of hosts.scan(activeHosts, 100)) expect(batch).toHaveLength(1);
      const last = pages.at(-1)?.hostname ?? '';
      const rest = await hosts.page({ filter: activeHosts, offset: 0, limit: 100, after: last });
      expect([...pages, ...rest].map(({ hostname }) => hostname)).toEqual(names.slice(0, pages.length + rest.length));
      expect((await collect(hosts.scan(activeHosts, 100))).map(({ hostname }) => hostname)).toEqual(names);
    });

    it('ends pages, batches and steps at the characters of a page, and goes on behind without loss', async () => {
      const { hosts } = fresh();
      const names = Array.from({ length: 12 }, (_, index) => `host${String(index).padStart(2, '0')}`);
      for (const name of names) await save(hosts, { [name]: { text: 'x'.repeat(PAGE_CHARACTERS / 3) } });
      const most = PAGE_CHARACTERS + PAGE_CHARACTERS / 2;
      const seen: string[] = [];
      let page: readonly HostRecord[] = [];
      do {
        const after = seen.at(-1);
        page = await hosts.page({ filter: activeHosts, offset: 0, limit: 100, ...(after !== undefined && { after }) });
        expect(charactersOf(page)).toBeLessThan(most);
        seen.push(...page.map(({ hostname }) => hostname));
      } while (page.length > 0);
      expect(seen).toEqual(names);
      const scanned: string[] = [];
      for await (const batch of hosts.scan(activeHosts, 100)) {
        expect(charactersOf(batch)).toBeLessThan(most);
        scanned.push(...batch.map(({ hostname }) => hostname));
      }
      expect(scanned).toEqual(names);
      const rest = await collect(hosts.scan(activeHosts, 100, names[4]));
      expect(rest.map(({ hostname }) => hostname)).toEqual(names.slice(5));
      const found: string[] = [];
      let looked = 0;
      for await (const step of hosts.search({ filter: activeHosts, holding: [] })) {
        expect(charactersOf(step.hosts)).toBeLessThan(most);
        found.push(...step.hosts.map(({ hostname }) => hostname));
        looked += step.looked;
      }
      expect(found).toEqual(names);
      expect(looked).toBe(names.length);
    });
  });
}
