import { describe, expect, it } from 'vitest';
import type { RelationRecord, Storage } from '../ports/index.ts';
import { actor, archiveNames, blue, byteOrdered, minute, ofAccounts, red, saveNames } from './samples.ts';

function edge(hostname: string, target: string, type = 'runs_on', source = 'manual'): RelationRecord {
  return { hostname, type, target, source };
}

export function describeRelationStoreContract(fresh: () => Storage): void {
  describe('RelationStore', () => {
    it('adds edges between active hosts and lists them from both ends', async () => {
      const { hosts, relations } = fresh();
      await saveNames(hosts, ['a', 'b']);
      expect(await relations.add(edge('a', 'b'), null)).toBe('added');
      expect(await relations.list('a', null)).toEqual({ outgoing: [edge('a', 'b')], inbound: [] });
      expect(await relations.list('b', null)).toEqual({ outgoing: [], inbound: [edge('a', 'b')] });
      expect(await relations.list('unknown', null)).toBeUndefined();
    });

    it('keeps the first source of a repeated edge', async () => {
      const { hosts, relations } = fresh();
      await saveNames(hosts, ['a', 'b']);
      await relations.add(edge('a', 'b'), null);
      expect(await relations.add(edge('a', 'b', 'runs_on', 'import'), null)).toBe('unchanged');
      expect(await relations.add(edge('a', 'b', 'member_of'), null)).toBe('added');
      expect(await relations.add(edge('b', 'a'), null)).toBe('added');
      expect(await relations.of(['a', 'b'])).toEqual([edge('a', 'b', 'member_of'), edge('a', 'b'), edge('b', 'a')]);
    });

    it('gives the edges at either end of hosts, each once and no more than asked for', async () => {
      const { hosts, relations } = fresh();
      await saveNames(hosts, ['a', 'b', 'c', 'd']);
      await relations.add(edge('a', 'b'), null);
      await relations.add(edge('b', 'c'), null);
      await relations.add(edge('c', 'd'), null);
      await relations.name({ source: 'import', edges: [edge('a', 'b'), edge('b', 'gone')], at: minute(1) });
      expect(await relations.around(['b'], 10)).toEqual([
        edge('a', 'b'),
        edge('b', 'c'),
        edge('b', 'gone', 'runs_on', 'import'),
      ]);
      expect(await relations.around(['a', 'b'], 10)).toHaveLength(3);
      expect(await relations.around(['a', 'd'], 10)).toEqual([edge('a', 'b'), edge('c', 'd')]);
      expect(await relations.around(['b'], 2)).toHaveLength(2);
      expect(await relations.around([], 10)).toEqual([]);
    });

    it('lets exactly one of many add an edge', async () => {
      const { hosts, relations } = fresh();
      await saveNames(hosts, ['a', 'b']);
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, n) => relations.add(edge('a', 'b', 'runs_on', `s${n}`), null)),
      );
      expect(outcomes.filter((outcome) => outcome === 'added').length).toBe(1);
      expect((await relations.of(['a'])).length).toBe(1);
    });

    it('tells which end is missing, the source first', async () => {
      const { hosts, relations } = fresh();
      await saveNames(hosts, ['a', 'gone']);
      await saveNames(hosts, ['other'], { account: blue });
      await archiveNames(hosts, ['gone']);
      const scope = ofAccounts(red.id);
      for (const missing of ['unknown', 'gone', 'other']) {
        expect(await relations.add(edge(missing, 'a'), scope)).toBe('source_not_found');
        expect(await relations.add(edge('a', missing), scope)).toBe('target_not_found');
        expect(await relations.add(edge(missing, 'unknown'), scope)).toBe('source_not_found');
        expect(await relations.remove(edge(missing, 'a'), scope)).toBe('source_not_found');
        expect(await relations.remove(edge('a', missing), scope)).toBe('target_not_found');
      }
      expect(await relations.of(['a', 'gone', 'other', 'unknown'])).toEqual([]);
    });

    it('removes by type and target, whatever the source', async () => {
      const { hosts, relations } = fresh();
      await saveNames(hosts, ['a', 'b']);
      await relations.add(edge('a', 'b', 'runs_on', 'import'), null);
      await relations.add(edge('a', 'b', 'member_of'), null);
      expect(await relations.remove({ hostname: 'a', type: 'runs_on', target: 'b' }, null)).toBe('removed');
      expect(await relations.remove({ hostname: 'a', type: 'runs_on', target: 'b' }, null)).toBe('unchanged');
      expect(await relations.remove({ hostname: 'a', type: 'runs_on', target: 'a' }, null)).toBe('unchanged');
      expect(await relations.of(['a'])).toEqual([edge('a', 'b', 'member_of')]);
    });

    it('keeps what sources name, and shows an edge that several name once', async () => {
      const { hosts, relations } = fresh();
      await saveNames(hosts, ['a', 'b', 'c']);
      await relations.add(edge('a', 'c'), null);
      const named = [edge('a', 'b'), edge('a', 'later'), edge('a', 'c'), edge('a', 'b')];
      expect(await relations.name({ source: 'vcenter', edges: named, at: minute(1) })).toEqual([
        'added',
        'added',
        'unchanged',
        'unchanged',
      ]);
      expect(await relations.name({ source: 'netbox', edges: [edge('a', 'b')], at: minute(1) })).toEqual(['unchanged']);
      const shown = [edge('a', 'b', 'runs_on', 'netbox'), edge('a', 'c')];
      expect((await relations.list('a', null))?.outgoing).toEqual(shown);
      expect((await relations.list('b', null))?.inbound).toEqual([edge('a', 'b', 'runs_on', 'netbox')]);
      expect(await relations.of(['a'])).toEqual([...shown, edge('a', 'later', 'runs_on', 'vcenter')]);
      await saveNames(hosts, ['later']);
      expect((await relations.list('later', null))?.inbound).toEqual([edge('a', 'later', 'runs_on', 'vcenter')]);
      expect(await relations.name({ source: 'netbox', edges: [], at: minute(1) })).toEqual([]);
    });

    it('prunes what a source no longer names, and nothing of others', async () => {
      const { hosts, relations } = fresh();
      await saveNames(hosts, ['a', 'b', 'c', 'spared']);
      await relations.add(edge('a', 'b', 'member_of', 'vcenter'), null);
      const first = [edge('a', 'b', 'member_of'), edge('a', 'b'), edge('a', 'c'), edge('spared', 'c')];
      await relations.name({ source: 'vcenter', edges: first, at: minute(1) });
      await relations.name({ source: 'netbox', edges: [edge('a', 'c'), edge('c', 'b')], at: minute(1) });
      await relations.name({ source: 'vcenter', edges: [edge('a', 'b')], at: minute(3) });
      const request = { source: 'vcenter', unnamedSince: minute(2), except: ['spared'] };
      expect(await relations.prune(request)).toBe(1);
      expect(await relations.prune(request)).toBe(0);
      expect(await relations.of(['a', 'c', 'spared'])).toEqual([
        edge('a', 'b', 'member_of', 'vcenter'),
        edge('a', 'b', 'runs_on', 'vcenter'),
        edge('a', 'c', 'runs_on', 'netbox'),
        edge('c', 'b', 'runs_on', 'netbox'),
        edge('spared', 'c', 'runs_on', 'vcenter'),
      ]);
      expect(await relations.prune({ source: 'vcenter', unnamedSince: minute(9), except: [] })).toBe(2);
    });

    it('removes an edge by hand, whoever names it', async () => {
      const { hosts, relations } = fresh();
      await saveNames(hosts, ['a', 'b']);
      await relations.name({ source: 'vcenter', edges: [edge('a', 'b')], at: minute(1) });
      await relations.name({ source: 'netbox', edges: [edge('a', 'b')], at: minute(1) });
      expect(await relations.add(edge('a', 'b'), null)).toBe('unchanged');
      expect(await relations.remove({ hostname: 'a', type: 'runs_on', target: 'b' }, null)).toBe('removed');
      expect(await relations.of(['a'])).toEqual([]);
    });

    it('hides edges whose either end is archived until it is restored', async () => {
      const { hosts, relations } = fresh();
      await saveNames(hosts, ['a', 'b', 'c']);
      await relations.add(edge('a', 'b'), null);
      await relations.add(edge('c', 'a'), null);
      await archiveNames(hosts, ['b', 'c']);
      expect(await relations.list('a', null)).toEqual({ outgoing: [], inbound: [] });
      expect(await relations.list('b', null)).toBeUndefined();
      expect(await relations.of(['a', 'c'])).toEqual([edge('a', 'b'), edge('c', 'a')]);
      await hosts.restore({ hostnames: ['b', 'c'], at: minute(9), scope: null, actor });
      expect(await relations.list('a', null)).toEqual({ outgoing: [edge('a', 'b')], inbound: [edge('c', 'a')] });
    });

    it('hides edges to hosts out of the scope', async () => {
      const { hosts, relations } = fresh();
      await saveNames(hosts, ['a', 'b']);
      await saveNames(hosts, ['x'], { account: blue });
      for (const relation of [edge('a', 'b'), edge('a', 'x'), edge('x', 'a'), edge('b', 'a')])
        await relations.add(relation, null);
      expect(await relations.list('a', ofAccounts(red.id))).toEqual({
        outgoing: [edge('a', 'b')],
        inbound: [edge('b', 'a')],
      });
      expect(await relations.list('x', ofAccounts(red.id))).toBeUndefined();
      expect(await relations.list('a', ofAccounts())).toBeUndefined();
    });

    it('orders by type, then the other end, in bytes of UTF-8', async () => {
      const { hosts, relations } = fresh();
      await saveNames(hosts, ['hub', ...byteOrdered]);
      for (const name of byteOrdered.toReversed()) {
        for (const type of ['z', 'Z', 'a']) {
          await relations.add(edge('hub', name, type), null);
          await relations.add(edge(name, 'hub', type), null);
        }
      }
      const order = ['Z', 'a', 'z'].flatMap((type) => byteOrdered.map((name) => [type, name]));
      const list = await relations.list('hub', null);
      expect(list?.outgoing.map((item) => [item.type, item.target])).toEqual(order);
      expect(list?.inbound.map((item) => [item.type, item.hostname])).toEqual(order);
      const all = await relations.of(byteOrdered);
      expect(all.map((item) => item.hostname)).toEqual(byteOrdered.flatMap((name) => [name, name, name]));
    });

    it('lets a host point to itself', async () => {
      const { hosts, relations } = fresh();
      await saveNames(hosts, ['a']);
      expect(await relations.add(edge('a', 'a'), null)).toBe('added');
      expect(await relations.list('a', null)).toEqual({ outgoing: [edge('a', 'a')], inbound: [edge('a', 'a')] });
    });

    it('answers nothing for no hosts', async () => {
      expect(await fresh().relations.of([])).toEqual([]);
    });
  });
}
