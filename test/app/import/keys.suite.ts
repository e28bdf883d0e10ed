import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonValue, SourceItem } from '../../../src/ports/index.ts';
import type { CreateStore } from './support.ts';
import { OTHER, sourceOf, WEB, type World, withReasons, worlds } from './support.ts';

type Keys = Readonly<Record<string, readonly string[]>>;

export function describeKeys(create?: CreateStore): void {
  const world = worlds(create);
  let here: World;

  beforeEach(async () => {
    here = await world();
  });

  function keyed(hostname: string, keys: Keys, labels: Record<string, JsonValue> = { os: 'linux' }): SourceItem {
    return { kind: 'record', position: `record of ${hostname}`, hostname, labels, keys };
  }

  const serial = (hostname: string, value: string, labels?: Record<string, JsonValue>): SourceItem =>
    keyed(hostname, { serial: [value] }, labels);

  const gap: SourceItem = { kind: 'gap', what: 'page 2 of 2', reason: '500' };
  const ARCHIVES = { delete_host_if_not_found_on_import: true, delete_threshold_percent: 100 };

  async function keysOf(hostname: string): Promise<string[]> {
    const marks = await here.storage.marks.of([hostname]);
    return marks.filter(({ kind }) => kind === 'key').map(({ value }) => value);
  }

  async function kindsOf(hostname: string): Promise<string[]> {
    return (await here.storage.history.ofHost(hostname, 10)).map(({ kind }) => kind);
  }

  describe('keys of records', () => {
    it('are kept in one form, and taken back by a whole run that no longer names them', async () => {
      await here.run(
        sourceOf([keyed('a', { serial: [' J4711 '], mac: ['00-1A-2B-3C-4D-5E', '001a.2b3c.4d5f'], uuid: ['N/A'] })]),
      );
      expect(await keysOf('a')).toEqual(['mac=00:1a:2b:3c:4d:5e', 'mac=00:1a:2b:3c:4d:5f', 'serial=J4711']);
      await here.run(sourceOf([keyed('a', { serial: ['J4712'] })]));
      expect(await keysOf('a')).toEqual(['serial=J4712']);
      await here.run(sourceOf([{ kind: 'record', position: 'record 1', hostname: 'a', labels: {} }]));
      expect(await keysOf('a')).toEqual([]);
    });

    it('are not written again by a run that names the same, and those that it does not name are taken back', async () => {
      const both = keyed('a', { serial: ['J101'], uuid: ['5f0c1a2b-0000-4000-8000-0123456789ab'] });
      await here.run(sourceOf([both]));
      const stored = await here.storage.marks.of(['a']);
      here.advance(60_000);
      await here.run(sourceOf([both]));
      expect(await here.storage.marks.of(['a'])).toEqual(stored);
      here.advance(60_000);
      await here.run(sourceOf([keyed('a', { serial: ['J101'], mac: ['00:1a:2b:3c:4d:5e'] })]));
      expect(await keysOf('a')).toEqual(['mac=00:1a:2b:3c:4d:5e', 'serial=J101']);
      expect((await here.storage.marks.of(['a'])).find(({ value }) => value === 'serial=J101')).toEqual(stored[0]);
    });

    it('of a host that only its keys name are not written again either', async () => {
      await here.run(sourceOf([keyed('a', { serial: ['J101'] })]));
      const more = { account: OTHER, options: { mode: 'contribute' as const } };
      const source = sourceOf([
        keyed('elsewhere', { serial: ['J101'], uuid: ['5f0c1a2b-0000-4000-8000-0123456789ab'] }, { rack: '7' }),
      ]);
      await here.run(source, more);
      const stored = await here.storage.marks.of(['a']);
      expect(stored.map(({ value }) => value)).toEqual([
        'serial=J101',
        'serial=J101',
        'uuid=5f0c1a2b-0000-4000-8000-0123456789ab',
      ]);
      here.advance(60_000);
      await here.run(source, more);
      expect(await here.storage.marks.of(['a'])).toEqual(stored);
    });

    it('stay where a run is partial, failed or of one part', async () => {
      await here.run(sourceOf([serial('a', 'J101'), serial('b', 'J102')]), { parts: ['vms'] });
      await here.run(sourceOf([keyed('a', { uuid: ['5f0c1a2b-0000-4000-8000-0123456789ab'] }), gap]));
      await here.run(sourceOf([keyed('a', {})], new Error('broken')));
      await here.run(sourceOf([{ ...keyed('a', {}), part: 'vms' } as SourceItem]), { parts: ['vms'], part: 'vms' });
      expect(await keysOf('a')).toEqual(['serial=J101', 'uuid=5f0c1a2b-0000-4000-8000-0123456789ab']);
      expect(await keysOf('b')).toEqual(['serial=J102']);
    });

    it('stay with hosts that the source no longer has, in the archive or not', async () => {
      await here.run(sourceOf([serial('a', 'J101'), serial('b', 'J102')]));
      await here.run(sourceOf([serial('a', 'J101')]));
      expect(await keysOf('b')).toEqual(['serial=J102']);
      await here.run(sourceOf([serial('a', 'J101')]), { options: ARCHIVES });
      expect(await here.active()).toEqual(['a']);
      expect(await keysOf('b')).toEqual(['serial=J102']);
      const report = await here.run(sourceOf([serial('a', 'J101'), serial('c', 'J102')]), { options: ARCHIVES });
      expect(report).toMatchObject({ renamed: 1, renamedSample: [{ from: 'b', to: 'c' }], summary: { updated: 1 } });
      expect(await here.active()).toEqual(['a', 'c']);
      expect(await kindsOf('c')).toEqual(['restored', 'renamed', 'archived', 'created']);
    });

    it('that cannot be kept are reported by name, and the host is written', async () => {
      const report = await here.run(
        sourceOf([keyed('a', { 'Serial Number': ['J101'], serial: ['J4711'.repeat(101), 'J102'] })]),
      );
      expect(report).toMatchObject({ status: 'done', keyConflictsTotal: 2, summary: { created: 1 } });
      expect(withReasons(report.keyConflicts).map(({ hostname }) => hostname)).toEqual(['a', 'a']);
      expect(await keysOf('a')).toEqual(['serial=J102']);
    });

    it('are of no host where one record becomes several', async () => {
      const template = () => '["a", "b"]';
      await here.run(sourceOf([serial('x', 'J101')]), { template });
      expect(await here.active()).toEqual(['a', 'b']);
      expect([...(await keysOf('a')), ...(await keysOf('b'))]).toEqual([]);
    });
  });

  describe('a host whose name changed in the source', () => {
    beforeEach(async () => {
      await here.run(sourceOf([serial('old', 'J101'), serial('other', 'J102')]));
    });

    it('is the same host under its new name, and says so', async () => {
      const report = await here.run(sourceOf([serial('new', 'J101', { os: 'bsd' }), serial('other', 'J102')]), {
        options: ARCHIVES,
      });
      expect(report).toMatchObject({
        status: 'done',
        renamed: 1,
        renamedSample: [{ from: 'old', to: 'new' }],
        summary: { seen: 2, created: 0, updated: 1, unchanged: 1, archived: 0 },
      });
      expect(await here.active()).toEqual(['new', 'other']);
      expect(await here.storage.hosts.find('old')).toBeUndefined();
      expect(await kindsOf('new')).toEqual(['labels', 'renamed', 'created']);
      expect(await keysOf('new')).toEqual(['serial=J101']);
      const [entry] = await here.storage.logs.latest({ limit: 1 });
      expect(entry?.details.map(({ message }) => message)).toContain('renamed: "old" is now "new", found by its keys');
    });

    it('is told in the differences before it happens, and nothing is written for that', async () => {
      const diffs: unknown[] = [];
      const report = await here.run(sourceOf([serial('new', 'J101', { os: 'bsd' }), serial('other', 'J102')]), {
        options: ARCHIVES,
        dryRun: true,
        onDiff: (diff) => diffs.push(diff),
      });
      expect(report).toMatchObject({ renamed: 1, summary: { created: 0, updated: 1, unchanged: 1, archived: 0 } });
      expect(diffs).toEqual([
        {
          hostname: 'new',
          outcome: 'updated',
          changes: [
            { path: 'hostname', before: 'old', after: 'new' },
            { path: 'labels.os', before: 'linux', after: 'bsd' },
          ],
        },
      ]);
      expect(await here.active()).toEqual(['old', 'other']);
      diffs.length = 0;
      await here.run(sourceOf([serial('new', 'J101'), serial('other', 'J102')]), {
        dryRun: true,
        onDiff: (diff) => diffs.push(diff),
      });
      expect(diffs).toMatchObject([{ hostname: 'new', changes: [{ path: 'hostname' }] }]);
    });

    it('is not taken for the one that the source still has, wherever that stands', async () => {
      for (const items of [
        [serial('copy', 'J101'), serial('old', 'J101'), serial('other', 'J102')],
        [serial('old', 'J101'), serial('copy', 'J101'), serial('other', 'J102')],
      ]) {
        here = await world();
        await here.run(sourceOf([serial('old', 'J101'), serial('other', 'J102')]));
        const report = await here.run(sourceOf(items), { options: ARCHIVES });
        expect(report).toMatchObject({ status: 'done', renamed: 0, summary: { created: 1, archived: 0 } });
        expect(withReasons(report.keyConflicts)).toMatchObject([{ hostname: 'copy' }]);
        expect(await here.active()).toEqual(['copy', 'old', 'other']);
      }
    });

    it('is none of two new records that have its key', async () => {
      const items = [serial('new1', 'J101'), serial('new2', 'J101'), serial('other', 'J102')];
      for (const dryRun of [true, false]) {
        const report = await here.run(sourceOf(items), { options: ARCHIVES, dryRun });
        expect(report).toMatchObject({ renamed: 0, keyConflictsTotal: 2, summary: { created: 2, archived: 1 } });
        expect(withReasons(report.keyConflicts).map(({ hostname }) => hostname)).toEqual(['new1', 'new2']);
      }
      expect(await here.active()).toEqual(['new1', 'new2', 'other']);
    });

    it('is decided by the next whole run where something was not read', async () => {
      const items = [serial('new', 'J101'), serial('other', 'J102')];
      const partial = await here.run(sourceOf([...items, gap]));
      expect(partial).toMatchObject({ status: 'partial', renamed: 0, summary: { seen: 2, skipped: 1, unchanged: 1 } });
      const failed = await here.run(sourceOf(items, new Error('cut off')));
      expect(failed).toMatchObject({ status: 'failed', renamed: 0, summary: { created: 0 } });
      expect(await here.active()).toEqual(['old', 'other']);
      expect((await here.run(sourceOf(items))).renamed).toBe(1);
    });

    it('is not the one that the source named although it could not be written', async () => {
      const skipped: SourceItem = { kind: 'skipped', position: 'line 9', hostname: 'old', reason: 'is broken' };
      const report = await here.run(sourceOf([serial('new', 'J101'), skipped]), { options: ARCHIVES });
      expect(report).toMatchObject({ renamed: 0, summary: { created: 1 } });
      expect(await here.active()).toContain('old');
    });

    it('stays in the archive where an operator put it', async () => {
      const { hosts } = here.storage;
      const actor = { kind: 'user', name: 'olga' } as const;
      await hosts.archive({ hostnames: ['old'], by: 'operator', at: new Date(), scope: null, actor });
      const report = await here.run(sourceOf([serial('new', 'J101'), serial('other', 'J102')]));
      expect(report).toMatchObject({ renamed: 0, summary: { skipped: 1 } });
      expect(withReasons(report.notWritten)[0]?.reason).toMatch(/old.*operator archived/);
      expect(await here.active()).toEqual(['other']);
    });

    it('is another thing when it is of another type', async () => {
      const network: SourceItem = { ...serial('net', 'J101'), type: 'network' } as SourceItem;
      expect(await here.run(sourceOf([network, serial('other', 'J102')]))).toMatchObject({ renamed: 0 });
      expect(await here.active()).toEqual(['net', 'old', 'other']);
    });

    it('keeps the first record of its new name', async () => {
      const report = await here.run(
        sourceOf([serial('new', 'J101'), serial('other', 'J102'), serial('new', 'J103', {})]),
      );
      expect(report).toMatchObject({ renamed: 1, summary: { seen: 3, updated: 1, unchanged: 1, skipped: 1 } });
      expect(await here.labels('new')).toEqual({ os: 'linux' });
    });

    it('may be one of another part, and is then not known to be gone', async () => {
      const of = (part: string, item: SourceItem): SourceItem => ({ ...item, part }) as SourceItem;
      const parts = ['devices', 'vms'];
      await here.run(sourceOf([of('devices', serial('d', 'J107')), of('vms', serial('v', 'J108'))]), { parts });
      const report = await here.run(sourceOf([of('vms', serial('d2', 'J107')), of('vms', serial('v2', 'J108'))]), {
        parts,
        part: 'vms',
      });
      expect(report.renamedSample).toEqual([{ from: 'v', to: 'v2' }]);
      expect(await here.active()).toEqual(['d', 'd2', 'old', 'other', 'v2']);
      const marks = await here.storage.marks.of(['v2']);
      expect(marks.map(({ kind, value }) => `${kind} ${value}`)).toEqual(['key serial=J108', 'part vms']);
    });
  });

  describe('hosts that share keys', () => {
    it('are reported by name once a run, and stay apart', async () => {
      const items = [serial('a', 'J101'), serial('b', 'J101'), serial('c', 'J103')];
      for (let run = 0; run < 2; run++) {
        const report = await here.run(sourceOf(items));
        expect(report).toMatchObject({ status: 'done', renamed: 0, keyConflictsTotal: 1 });
        expect(withReasons(report.keyConflicts)).toEqual([
          {
            position: 'record of b',
            hostname: 'b',
            reason: 'has serial=J101, as a has: a key of several hosts finds none of them again',
          },
        ]);
      }
    });

    it('are found again by what only one of them has, as machines of a cluster that share an address', async () => {
      const node = (name: string, number: string) => keyed(name, { serial: [number], mac: ['00:1a:2b:00:01:01'] });
      await here.run(sourceOf([node('n1', 'J101'), node('n2', 'J102')]));
      const report = await here.run(sourceOf([node('m1', 'J101'), node('m2', 'J102')]), { options: ARCHIVES });
      expect(report.renamedSample).toEqual([
        { from: 'n1', to: 'm1' },
        { from: 'n2', to: 'm2' },
      ]);
      expect(await here.active()).toEqual(['m1', 'm2']);
    });

    it('are none of them where keys lead to different ones', async () => {
      await here.run(
        sourceOf([keyed('a', { serial: ['J101'] }), keyed('b', { uuid: ['5f0c1a2b-0000-4000-8000-0123456789ab'] })]),
      );
      const report = await here.run(
        sourceOf([keyed('c', { serial: ['J101'], uuid: ['5f0c1a2b-0000-4000-8000-0123456789ab'] })]),
      );
      expect(report).toMatchObject({ renamed: 0, summary: { created: 1 }, keyConflictsTotal: 1 });
    });

    it('with values that say nothing are no conflict and never renamed', async () => {
      await here.run(sourceOf([serial('a', 'To Be Filled By O.E.M.'), serial('b', '0000000')]));
      const report = await here.run(sourceOf([serial('c', 'To be filled by O.E.M.'), serial('d', '0000')]));
      expect(report).toMatchObject({ renamed: 0, keyConflictsTotal: 0, summary: { created: 2 } });
    });

    it('of several accounts are not renamed by each other', async () => {
      await here.run(sourceOf([serial('a', 'J101')]));
      const report = await here.run(sourceOf([serial('b', 'J101')]), { account: OTHER });
      expect(report).toMatchObject({ renamed: 0, summary: { created: 1 }, keyConflictsTotal: 1 });
      expect(await here.active()).toEqual(['a', 'b']);
    });

    it.each([
      ['first', 'A'],
      ['last', 'z'],
    ])('of several accounts are told by the run that brings the second, whose name sorts %s', async (_, name) => {
      await here.run(sourceOf([serial('m', 'J101')]));
      for (let run = 0; run < 2; run++) {
        const report = await here.run(sourceOf([serial(name, 'J101')]), { account: OTHER });
        expect(withReasons(report.keyConflicts).map(({ hostname, reason }) => `${hostname} ${reason}`)).toEqual([
          expect.stringMatching(new RegExp(`^${name} has serial=J101, as m of another account has: .*mode=contribute`)),
        ]);
      }
    });
  });

  describe('keys between sources', () => {
    const adds = { account: OTHER, options: { mode: 'contribute' as const } };

    it('lead contributions to the host, whatever it is called', async () => {
      await here.run(sourceOf([serial('web01', 'J1001'), serial('web02', 'J1002')]));
      for (let run = 0; run < 2; run++) {
        const report = await here.run(sourceOf([serial('WEB-A', 'J1001', { owner: 'ops' })]), adds);
        expect(report).toMatchObject({ status: 'done', summary: run === 0 ? { updated: 1 } : { unchanged: 1 } });
      }
      expect(await here.labels('web01')).toEqual({ os: 'linux', owner: 'ops' });
      expect((await here.storage.marks.of(['web01'])).map(({ accountId }) => accountId)).toEqual([WEB.id, OTHER.id]);
      await here.run(sourceOf([serial('x', 'J1009')]), adds);
      expect((await here.storage.marks.of(['web01'])).map(({ accountId }) => accountId)).toEqual([WEB.id]);
    });

    it('lead nowhere when several hosts have them, and the record is reported', async () => {
      await here.run(sourceOf([serial('a', 'J101'), serial('b', 'J101')]));
      const report = await here.run(sourceOf([serial('x', 'J101')]), adds);
      expect(report.summary).toMatchObject({ conflicts: 1 });
      expect(withReasons(report.notWritten)[0]?.reason).toContain('a, b');
    });

    it('take nothing away when a second host gets them', async () => {
      const fills = { account: { ...OTHER, id: 'd'.repeat(24), name: 'cmdb' }, options: { fills: 'section' as const } };
      const named = serial('x', 'J101', { rack: '7' });
      await here.run(sourceOf([serial('a', 'J101'), serial('b', 'J102'), serial('c', 'J103')]));
      await here.run(sourceOf([named, serial('c', 'J103', { rack: '8' })]), adds);
      await here.run(sourceOf([named, serial('c', 'J103', { rack: '8' })]), fills);
      await here.run(sourceOf([serial('a', 'J101'), serial('b', 'J101'), serial('c', 'J103')]));
      const report = await here.run(sourceOf([named, serial('c', 'J103', { rack: '8' })]), adds);
      expect(report).toMatchObject({ withdrawn: 0, summary: { conflicts: 1, unchanged: 1 } });
      expect(await here.labels('a')).toEqual({ os: 'linux', rack: '7' });
      const filled = await here.run(sourceOf([named, serial('c', 'J103', { rack: '8' })]), fills);
      expect(filled).toMatchObject({ status: 'done', emptied: 0, summary: { conflicts: 1 } });
      expect((await here.storage.hosts.find('a'))?.inventory.value).toEqual({ vmware: { rack: '7' } });
    });

    it('lead to none by what a source alone calls its things', async () => {
      await here.run(sourceOf([keyed('a', { id: ['17'] })]));
      const report = await here.run(sourceOf([keyed('x', { id: ['17'] })]), adds);
      expect(report.summary).toMatchObject({ skipped: 1 });
      expect((await here.run(sourceOf([keyed('b', { id: ['17'] })]))).renamed).toBe(1);
    });

    it('lead sections to the host, and names win over keys', async () => {
      await here.run(sourceOf([serial('a', 'J101'), serial('b', 'J102')]));
      const options = { fills: 'section' as const, section: 'cmdb' };
      const other = { account: OTHER, options };
      await here.run(sourceOf([serial('x', 'J101', { from: 'key' })]), other);
      await here.run(sourceOf([serial('x', 'J101', { from: 'key' }), serial('b', 'J103', { from: 'name' })]), other);
      await here.run(sourceOf([serial('x', 'J101', { from: 'key' }), serial('b', 'J103', { from: 'name' })]), other);
      const sections = await Promise.all(['a', 'b'].map((name) => here.storage.hosts.find(name)));
      expect(sections.map((host) => host?.inventory.value)).toMatchObject([
        { cmdb: { from: 'key' } },
        { cmdb: { from: 'name' } },
      ]);
    });
  });
}
