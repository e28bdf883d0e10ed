import { describe, expect, it } from 'vitest';
import { type Storage, StoredJson } from '../ports/index.ts';
import { actor, archiveNames, blue, minute, ofAccounts, red, save, saveSection } from './samples.ts';

/** `HostStore.saveInventory`. */
export function describeInventoryContract(fresh: () => Storage): void {
  describe('saveInventory', () => {
    it('replaces single sections and leaves the others', async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: { a: 1 } });
      expect(await saveSection(hosts, 'alpha', 'hw', { cpu: { cores: 4 } })).toBe('updated');
      expect(await saveSection(hosts, 'alpha', 'sw', { list: [1, { a: null }] })).toBe('updated');
      expect(await saveSection(hosts, 'alpha', 'hw', { ram: 5 })).toBe('updated');
      const host = await hosts.get('alpha', null);
      expect(host?.inventory.value).toEqual({ hw: { ram: 5 }, sw: { list: [1, { a: null }] } });
      expect(host?.labels.value).toEqual({ a: 1 });
    });

    it('moves lastUpdate when the section changed, never lastSeen', async () => {
      const storage = fresh();
      const { hosts } = storage;
      await save(hosts, { alpha: {} });
      await saveSection(hosts, 'alpha', 'hw', { a: 1, b: 2 }, 3);
      const before = (await storage.revisions()).get('hosts') ?? 0;
      expect(await hosts.get('alpha', null)).toMatchObject({ lastSeen: minute(1), lastUpdate: minute(3) });
      expect(await saveSection(hosts, 'alpha', 'hw', { b: 2, a: 1 }, 4)).toBe('unchanged');
      expect(await hosts.get('alpha', null)).toMatchObject({ lastSeen: minute(1), lastUpdate: minute(3) });
      expect((await storage.revisions()).get('hosts')).toBe(before);
      await saveSection(hosts, 'alpha', 'hw', { b: '2', a: 1 }, 5);
      expect((await storage.revisions()).get('hosts')).toBeGreaterThan(before);
    });

    it('stores an empty section that was not there', async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: {} });
      expect(await saveSection(hosts, 'alpha', 'hw', {})).toBe('updated');
      expect(await saveSection(hosts, 'alpha', 'hw', {})).toBe('unchanged');
      expect((await hosts.get('alpha', null))?.inventory.value).toEqual({ hw: {} });
    });

    it('answers one outcome an entry, in order; later entries see earlier ones', async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: {}, gone: {} });
      await save(hosts, { other: {} }, { account: blue });
      await archiveNames(hosts, ['gone']);
      const entries = ['unknown', 'gone', 'other', 'alpha', 'alpha', 'alpha'].map((hostname, n) => ({
        hostname,
        key: 'hw',
        section: StoredJson.ofValue({ n: n < 5 ? 1 : 2 }),
      }));
      expect(await hosts.saveInventory({ entries, scope: ofAccounts(red.id), at: minute(2), actor })).toEqual([
        'not_found',
        'not_found',
        'not_found',
        'updated',
        'unchanged',
        'updated',
      ]);
      expect((await hosts.find('gone'))?.inventory.value).toEqual({});
      expect((await hosts.find('other'))?.inventory.value).toEqual({});
    });

    it('gives keys back as they went in', async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: {} });
      const text = '{"a.b":{"10":1,"9":2,"$x":[],"__proto__":{"deep":"\u{1f600}"}},"\\ud800":"\\udfff","n":1.5}';
      for (const key of ['__proto__', '10', '9', 'constructor', '\u{1f600}', 'quote"']) {
        const entries = [{ hostname: 'alpha', key, section: StoredJson.ofText<{ n: number }>(text) }];
        expect(await hosts.saveInventory({ entries, scope: null, at: minute(2), actor })).toEqual(['updated']);
        expect(await hosts.saveInventory({ entries, scope: null, at: minute(2), actor })).toEqual(['unchanged']);
      }
      const inventory = (await hosts.get('alpha', null))?.inventory.value ?? {};
      expect(Object.keys(inventory).sort()).toEqual(['10', '9', '__proto__', 'constructor', 'quote"', '\u{1f600}']);
      for (const section of Object.values(inventory)) expect(section).toEqual(JSON.parse(text));
    });

    it('keeps what many write at once into one host', async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: {} });
      await Promise.all(Array.from({ length: 30 }, (_, n) => saveSection(hosts, 'alpha', `s${n}`, { n })));
      expect(Object.keys((await hosts.get('alpha', null))?.inventory.value ?? {}).length).toBe(30);
    });
  });
}
