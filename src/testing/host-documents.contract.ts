import { describe, expect, it } from 'vitest';
import { type Storage, StoredJson } from '../ports/index.ts';
import {
  activeHosts,
  actor,
  blue,
  countOwned,
  documentOf,
  labelsOf,
  minute,
  nets,
  plain,
  red,
  save,
  saveNames,
} from './samples.ts';

const edge = { type: 'runs_on', target: 'hypervisor', source: 'manual' };

/** `HostStore.putDocuments`. */
export function describeDocumentContract(fresh: () => Storage): void {
  describe('putDocuments', () => {
    it('stores whole records as they are', async () => {
      const { hosts } = fresh();
      const records = [
        documentOf('full', {
          accountId: nets.id,
          isObject: true,
          objectType: 'network',
          labels: labelsOf({ a: [1, null] }),
          inventory: StoredJson.ofValue({ hw: { cpu: { cores: 2 } } }),
          members: StoredJson.ofValue({ cmdb_templates: ['x'], 'odd.key': { $a: 1 } }),
          folder: '/east',
          createdAt: minute(1),
          lastSeen: minute(2),
          lastUpdate: minute(3),
        }),
        documentOf('archived', { accountId: null, archive: { at: minute(4), by: 'operator' } }),
      ];
      const writes = records.map((record) => ({ record, mode: 'skip', relations: [] }) as const);
      expect(await hosts.putDocuments(writes, actor)).toEqual([true, true]);
      for (const record of records) expect(plain(await hosts.find(record.hostname))).toEqual(plain(record));
      expect(await countOwned(hosts, nets.id)).toBe(1);
    });

    it('skips or replaces what exists', async () => {
      const storage = fresh();
      const { hosts } = storage;
      await save(hosts, { alpha: { a: 1 } });
      const record = documentOf('alpha', { labels: labelsOf({ a: 2 }), accountId: blue.id, createdAt: minute(7) });
      const before = (await storage.revisions()).get('hosts') ?? 0;
      expect(await hosts.putDocuments([{ record, mode: 'skip', relations: [edge] }], actor)).toEqual([false]);
      expect((await hosts.find('alpha'))?.labels.value).toEqual({ a: 1 });
      expect(await storage.relations.of(['alpha'])).toEqual([]);
      expect((await storage.revisions()).get('hosts')).toBe(before);
      expect(await hosts.putDocuments([{ record, mode: 'replace', relations: [edge] }], actor)).toEqual([true]);
      expect(plain(await hosts.find('alpha'))).toEqual(plain(record));
      expect((await storage.revisions()).get('hosts')).toBeGreaterThan(before);
      expect(await countOwned(hosts, red.id)).toBe(0);
      expect(await hosts.count(activeHosts)).toBe(1);
    });

    it.each([
      ['an account', { accounts: [red.id], templates: null }],
      ['a template', { accounts: null, templates: ['web'] }],
    ])('leaves hosts alone that are beyond a scope of %s', async (_of, scope) => {
      const storage = fresh();
      const { hosts } = storage;
      const web = StoredJson.ofValue({ cmdb_templates: ['web'] });
      const stored = [
        documentOf('own', { accountId: red.id, members: web }),
        documentOf('foreign', { accountId: blue.id }),
        documentOf('nobodys', { accountId: null }),
      ];
      await hosts.putDocuments(
        stored.map((record) => ({ record, mode: 'skip', relations: [] })),
        actor,
      );
      const writes = [...stored.map(({ hostname }) => hostname), 'new'].map((hostname) => ({
        record: documentOf(hostname, { accountId: red.id, members: web, labels: labelsOf({ by: 'scoped' }) }),
        mode: 'replace' as const,
        relations: [edge],
      }));
      expect(await hosts.putDocuments(writes, actor, scope)).toEqual([true, false, false, true]);
      for (const record of stored.slice(1)) expect(plain(await hosts.find(record.hostname))).toEqual(plain(record));
      expect(await storage.relations.of(['foreign', 'nobodys'])).toEqual([]);
      for (const hostname of ['own', 'new'])
        expect((await hosts.find(hostname))?.labels.value).toEqual({ by: 'scoped' });
    });

    it('lets later entries see earlier ones', async () => {
      const { hosts } = fresh();
      const writes = (['skip', 'skip', 'replace'] as const).map((mode, n) => ({
        record: documentOf('alpha', { labels: labelsOf({ n }) }),
        mode,
        relations: [],
      }));
      expect(await hosts.putDocuments(writes, actor)).toEqual([true, false, true]);
      expect((await hosts.find('alpha'))?.labels.value).toEqual({ n: 2 });
    });

    it('forgets contributions of what it replaces', async () => {
      const { hosts } = fresh();
      await save(hosts, { alpha: { a: 1 } });
      await hosts.contributeLabels({
        accountId: blue.id,
        precedence: 1,
        entries: [{ hostname: 'alpha', labels: labelsOf({ a: 2 }) }],
        at: minute(2),
        actor,
        runId: 'run-1',
      });
      await hosts.putDocuments([{ record: documentOf('alpha'), mode: 'replace', relations: [] }], actor);
      expect(await hosts.contributions('alpha')).toEqual([]);
      expect((await hosts.get('alpha', null))?.labels.value).toEqual({ os: 'linux' });
    });

    it('puts the given relations in the place of those stored on the host', async () => {
      const { hosts, relations } = fresh();
      await saveNames(hosts, ['alpha', 'other']);
      await relations.add({ hostname: 'alpha', type: 'member_of', target: 'other', source: 'manual' }, null);
      const inbound = { hostname: 'other', type: 'member_of', target: 'alpha', source: 'manual' };
      await relations.add(inbound, null);
      const given = [edge, { ...edge, source: 'again' }];
      await hosts.putDocuments([{ record: documentOf('alpha'), mode: 'replace', relations: given }], actor);
      expect(await relations.of(['alpha', 'other'])).toEqual([{ hostname: 'alpha', ...edge }, inbound]);
      expect((await relations.list('alpha', null))?.outgoing).toEqual([]);
      await saveNames(hosts, ['hypervisor']);
      expect((await relations.list('alpha', null))?.outgoing).toEqual([{ hostname: 'alpha', ...edge }]);
    });

    it('stores again what was shown of a host whose edge several sources named, whichever of them is given', async () => {
      const { hosts, relations } = fresh();
      await saveNames(hosts, ['alpha', 'hypervisor']);
      const named = { hostname: 'alpha', type: edge.type, target: edge.target };
      const sources = ['a', 'b'];
      const name = async () => {
        for (const source of sources) await relations.name({ source, edges: [named], at: minute(1) });
      };
      await name();
      for (const source of ['b', 'a', 'c']) {
        const write = { record: documentOf('alpha'), mode: 'replace', relations: [{ ...edge, source }] } as const;
        expect(await hosts.putDocuments([write], actor)).toEqual([true]);
        expect(await relations.of(['alpha'])).toEqual([{ ...named, source }]);
        // The others are gone, and not only hidden behind the one that was given.
        await relations.name({ source: '0', edges: [named], at: minute(2) });
        expect(await relations.of(['alpha'])).toEqual([{ ...named, source }]);
        await relations.remove(named, null);
        await name();
      }
    });

    it('does so too where the record is the one that is stored', async () => {
      const { hosts, relations } = fresh();
      const write = { record: documentOf('alpha'), mode: 'replace', relations: [edge] } as const;
      await hosts.putDocuments([write], actor);
      const other = { ...edge, target: 'other' };
      expect(await hosts.putDocuments([{ ...write, relations: [other] }], actor)).toEqual([true]);
      expect(await relations.of(['alpha'])).toEqual([{ hostname: 'alpha', ...other }]);
    });

    it('does not move the revision for what no reader of active hosts sees', async () => {
      const storage = fresh();
      const archive = { at: minute(1), by: 'api' } as const;
      const write = { record: documentOf('alpha', { archive }), mode: 'replace', relations: [] } as const;
      await storage.hosts.putDocuments([write], actor);
      await storage.hosts.putDocuments([write], actor);
      expect((await storage.revisions()).get('hosts')).toBeUndefined();
      await storage.hosts.putDocuments([{ ...write, record: documentOf('alpha') }], actor);
      expect((await storage.revisions()).get('hosts')).toBeGreaterThan(0);
    });
  });
}
