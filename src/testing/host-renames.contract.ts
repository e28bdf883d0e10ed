import { describe, expect, it } from 'vitest';
import type { HostRename, HostStore, Storage } from '../ports/index.ts';
import { ownedObject } from './ownership-store.contract.ts';
import { playbookMatch } from './playbook-store.contract.ts';
import {
  activeHosts,
  actor,
  archiveNames,
  blue,
  labelsOf,
  minute,
  namesOf,
  plain,
  red,
  ruleId,
  save,
  saveNames,
  saveSection,
} from './samples.ts';

export function describeRenameContract(fresh: () => Storage): void {
  describe('rename', () => {
    const rename = (hosts: HostStore, renames: readonly (readonly [from: string, to: string])[], at = 9) =>
      hosts.rename({ hosts: renames.map(([from, to]): HostRename => ({ from, to })), at: minute(at), actor });

    it('takes everything along that is known of a host', async () => {
      const { hosts, history, relations, marks, playbooks, ownership } = fresh();
      await save(hosts, { old: { os: 'linux' }, other: {} }, { at: minute(1), runId: 'run-1' });
      await saveSection(hosts, 'old', 'facts', { cores: 4 });
      const entries = [{ hostname: 'old', labels: labelsOf({ owner: 'ops' }) }];
      await hosts.contributeLabels({
        accountId: blue.id,
        precedence: 10,
        entries,
        at: minute(2),
        actor,
        runId: 'run-2',
      });
      await relations.add({ hostname: 'old', type: 'runs_on', target: 'other', source: 'manual' }, null);
      await relations.add({ hostname: 'other', type: 'member_of', target: 'old', source: 'manual' }, null);
      await marks.putKeys({ accountId: red.id, keys: [{ hostname: 'old', value: 'serial=1' }], at: minute(3) });
      await playbooks.remember(playbookMatch('old', { ruleId: ruleId(1), playbook: 'a.yml' }));
      await ownership.save(blue.id, [ownedObject('old', { hostname: 'old' })]);
      const before = await hosts.find('old');

      expect(await rename(hosts, [['old', 'new']])).toEqual(['renamed']);

      expect(await hosts.find('old')).toBeUndefined();
      const after = await hosts.find('new');
      expect(after?.lastUpdate).toEqual(minute(9));
      expect(plain(after)).toEqual({ ...(plain(before) as object), hostname: 'new', lastUpdate: minute(9) });
      expect((await hosts.contributions('new')).map(({ accountId }) => accountId)).toEqual([blue.id, red.id]);
      const changes = await history.ofHost('new', 10);
      expect(changes.map(({ kind }) => kind)).toEqual(['renamed', 'labels', 'inventory', 'created']);
      expect(changes[0]).toEqual({
        hostname: 'new',
        at: minute(9),
        actor,
        kind: 'renamed',
        changes: [{ path: 'hostname', before: 'old', after: 'new' }],
      });
      expect(changes.every(({ hostname }) => hostname === 'new')).toBe(true);
      expect(await history.ofHost('old', 10)).toEqual([]);
      expect(await relations.list('new', null)).toEqual({
        outgoing: [{ hostname: 'new', type: 'runs_on', target: 'other', source: 'manual' }],
        inbound: [{ hostname: 'other', type: 'member_of', target: 'new', source: 'manual' }],
      });
      expect(await marks.of(['old', 'new'])).toEqual([
        { hostname: 'new', accountId: red.id, kind: 'key', value: 'serial=1', at: minute(3) },
      ]);
      const matches: string[] = [];
      for await (const batch of playbooks.matches(10)) matches.push(...batch.map(({ hostname }) => hostname));
      expect(matches).toEqual(['new']);
      for await (const batch of ownership.scan(blue.id, 10)) {
        expect(batch).toEqual([ownedObject('old', { hostname: 'new' })]);
      }
      // The run that wrote the host knows it under its new name too.
      expect(await save(hosts, { new: { os: 'linux' } }, { at: minute(10), runId: 'run-1' })).toEqual(['duplicate']);
      expect(await save(hosts, { new: { os: 'linux' } }, { at: minute(10), runId: 'run-3' })).toEqual(['unchanged']);
      expect(await save(hosts, { old: {} }, { at: minute(11) })).toEqual(['created']);
      expect((await history.ofHost('old', 10)).map(({ kind }) => kind)).toEqual(['created']);
    });

    it('renames neither what is not there nor onto a name that is taken', async () => {
      const { hosts } = fresh();
      await saveNames(hosts, ['a', 'b', 'c']);
      await archiveNames(hosts, ['b', 'c']);
      const renames = [
        ['a', 'b'],
        ['a', 'a'],
        ['unknown', 'd'],
        ['c', 'a'],
        ['c', 'd'],
      ] as const;
      expect(await rename(hosts, renames)).toEqual(['name_taken', 'name_taken', 'not_found', 'name_taken', 'renamed']);
      expect((await hosts.find('d'))?.archive?.by).toBe('api');
      expect(await rename(hosts, [])).toEqual([]);
    });

    it('decides one after the other', async () => {
      const { hosts, history, ownership } = fresh();
      await saveNames(hosts, ['a', 'b', 'x']);
      await ownership.save(red.id, [ownedObject('x', { hostname: 'x' })]);
      const renames = [
        ['a', 'tmp'],
        ['b', 'a'],
        ['tmp', 'b'],
        ['x', 'y'],
        ['y', 'z'],
      ] as const;
      expect(await rename(hosts, renames)).toEqual(renames.map(() => 'renamed'));
      expect(await activeNames(hosts)).toEqual(['a', 'b', 'z']);
      const kinds = (await history.ofHost('b', 10)).map(({ changes: [change] }) => change?.before);
      expect(kinds).toEqual(['tmp', 'a', undefined]);
      for await (const [object] of ownership.scan(red.id, 10)) expect(object?.hostname).toBe('z');
    });

    it('keeps an edge once that stands at the new name already, and none from a host to itself', async () => {
      const { hosts, relations } = fresh();
      await saveNames(hosts, ['a', 'b']);
      const edges = [
        { hostname: 'a', type: 'runs_on', target: 'new' },
        { hostname: 'a', type: 'runs_on', target: 'old' },
        { hostname: 'old', type: 'member_of', target: 'new' },
        { hostname: 'old', type: 'member_of', target: 'b' },
      ];
      await relations.name({ source: 'vcenter', edges, at: minute(1) });
      await saveNames(hosts, ['old']);
      await rename(hosts, [['old', 'new']]);
      expect(await relations.of(['a', 'b', 'old', 'new'])).toEqual([
        { hostname: 'a', type: 'runs_on', target: 'new', source: 'vcenter' },
        { hostname: 'new', type: 'member_of', target: 'b', source: 'vcenter' },
      ]);
    });

    it('moves the revision of hosts, and the counters and pages with it', async () => {
      const storage = fresh();
      const { hosts } = storage;
      await saveNames(hosts, ['a', 'm', 'z']);
      const before = (await storage.revisions()).get('hosts');
      await rename(hosts, [['m', '0']]);
      expect((await storage.revisions()).get('hosts')).not.toBe(before);
      expect(await activeNames(hosts)).toEqual(['0', 'a', 'z']);
      const page = await hosts.page({ filter: activeHosts, offset: 1, limit: 1 });
      expect(page.map(({ hostname }) => hostname)).toEqual(['a']);
      expect(await hosts.count(activeHosts)).toBe(3);
      const problems: unknown[] = [];
      for await (const problem of storage.check({ fix: false })) problems.push(problem);
      expect(problems.filter((problem) => !JSON.stringify(problem).includes('account'))).toEqual([]);
    });
  });
}

function activeNames(hosts: HostStore): Promise<string[]> {
  return namesOf(hosts.page({ filter: activeHosts, offset: 0, limit: 100 }));
}
