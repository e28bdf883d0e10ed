import { describe, expect, it } from 'vitest';
import type { HostFilter, HostSearch, HostSearchStep, Storage } from '../ports/index.ts';
import { activeHosts, archiveNames, labelsOf, ofAccounts, red, save, saveNames, saveSection } from './samples.ts';

const any: HostFilter = { ...activeHosts, kind: 'all', state: 'any' };

async function stepsOf({ hosts }: Storage, request: HostSearch): Promise<HostSearchStep[]> {
  const steps: HostSearchStep[] = [];
  for await (const step of hosts.search(request)) steps.push(step);
  return steps;
}

async function foundBy(storage: Storage, holding: HostSearch['holding'], filter = activeHosts): Promise<string[]> {
  const steps = await stepsOf(storage, { filter, holding });
  return steps.flatMap(({ hosts }) => hosts.map(({ hostname }) => hostname));
}

/** `HostStore.search`. A store may give more than what holds the texts; what holds them it always gives. */
export function describeSearchContract(fresh: () => Storage): void {
  describe('search', () => {
    it('gives what holds a text of each list, in name, labels or inventory, in whatever case', async () => {
      const storage = fresh();
      await save(storage.hosts, {
        'WEB-01': { site: 'Frankfurt', note: '100% "quoted" \\ back_slash' },
        'db-01': { site: 'Berlin', rack: ['A1', 'B2'] },
        'db-02': { site: 'Ber' },
      });
      await saveSection(storage.hosts, 'db-02', 'facts', { distribution: { name: 'Debian' } });
      const cases: readonly (readonly [HostSearch['holding'], readonly string[]])[] = [
        [[], ['WEB-01', 'db-01', 'db-02']],
        [[['web']], ['WEB-01']],
        [[['FRANKFURT']], ['WEB-01']],
        [[['debian']], ['db-02']],
        [[['b2', 'debian']], ['db-01', 'db-02']],
        [[['ber'], ['db-0'], ['rack']], ['db-01']],
        [[['100%']], ['WEB-01']],
        [[['back_slash']], ['WEB-01']],
      ];
      for (const [holding, names] of cases) {
        const found = await foundBy(storage, holding);
        expect(found, JSON.stringify(holding)).toEqual([...found].sort());
        expect(found, JSON.stringify(holding)).toEqual(expect.arrayContaining([...names]));
      }
    });

    it('takes signs of patterns for what they are', async () => {
      const storage = fresh();
      await save(storage.hosts, {
        a: { v: 'x%y' },
        b: { v: 'x_y' },
        c: { v: 'x.y' },
        d: { v: 'x!y' },
        e: { v: 'x[y]*' },
      });
      const cases = { 'x%y': 'a', x_y: 'b', 'x.y': 'c', 'x!y': 'd', 'x[y]*': 'e' };
      for (const [text, name] of Object.entries(cases)) expect(await foundBy(storage, [[text]]), text).toContain(name);
    });

    it('takes characters of every alphabet for what they are', async () => {
      const storage = fresh();
      await save(storage.hosts, { a: { v: 'on 😀 fire' }, b: { v: 'Größe 12' }, c: { v: '名前' } });
      const cases = { '😀': 'a', 'on 😀 f': 'a', Größe: 'b', 名: 'c' };
      for (const [text, name] of Object.entries(cases)) expect(await foundBy(storage, [[text]]), text).toContain(name);
    });

    it('gives only what the filter means', async () => {
      const storage = fresh();
      await save(storage.hosts, { one: { v: 'text' }, two: { v: 'text' } }, { account: red });
      await archiveNames(storage.hosts, ['two']);
      expect(await foundBy(storage, [['text']])).toEqual(['one']);
      expect(await foundBy(storage, [['text']], any)).toEqual(['one', 'two']);
      expect(await foundBy(storage, [['text']], { ...any, scope: ofAccounts() })).toEqual([]);
      expect(await foundBy(storage, [['text']], { ...any, scope: ofAccounts(red.id) })).toEqual(['one', 'two']);
    });

    it('tells how far it came, and goes on from there', async () => {
      const storage = fresh();
      const names = Array.from({ length: 40 }, (_, index) => `host-${String(index).padStart(2, '0')}`);
      await saveNames(storage.hosts, names);
      const labelled = Object.fromEntries(
        ['host-07', 'host-33'].map((name) => [name, labelsOf({ v: 'needle' }).value]),
      );
      await save(storage.hosts, labelled);
      const steps = await stepsOf(storage, { filter: activeHosts, holding: [['needle']] });
      expect(steps.reduce((sum, { looked }) => sum + looked, 0)).toBe(40);
      expect(steps.at(-1)?.last).toBe('host-39');
      const behind = await stepsOf(storage, { filter: activeHosts, holding: [['needle']], after: 'host-07' });
      expect(behind.reduce((sum, { looked }) => sum + looked, 0)).toBe(32);
      const found = behind.flatMap(({ hosts }) => hosts.map(({ hostname }) => hostname));
      expect(found).toContain('host-33');
      expect(found).not.toContain('host-07');
      expect(await stepsOf(storage, { filter: activeHosts, holding: [], after: 'host-39' })).toEqual([]);
    });

    it('stops before too much is in memory at once', async () => {
      const storage = fresh();
      const big = 'x'.repeat(200 * 1024);
      const names = Array.from({ length: 70 }, (_, index) => `host-${String(index).padStart(2, '0')}`);
      for (let start = 0; start < names.length; start += 10) {
        await save(storage.hosts, Object.fromEntries(names.slice(start, start + 10).map((name) => [name, { big }])));
      }
      const steps = await stepsOf(storage, { filter: activeHosts, holding: [['xxx']] });
      expect(steps.length).toBeGreaterThan(1);
      expect(steps.flatMap(({ hosts }) => hosts.map(({ hostname }) => hostname))).toEqual(names);
      expect(steps.reduce((sum, { looked }) => sum + looked, 0)).toBe(names.length);
    });
  });
}
