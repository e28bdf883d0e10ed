import { beforeEach, describe, expect, it } from 'vitest';
import type { Source, SourceItem } from '../../../src/ports/index.ts';
import type { CreateStore } from './support.ts';
import { OTHER, sourceOf, WEB, type World, withReasons, worlds } from './support.ts';

export function describePartsAndTypes(create?: CreateStore): void {
  const world = worlds(create);
  let here: World;

  beforeEach(async () => {
    here = await world();
  });

  function of(part: string, hostname: string): SourceItem {
    return { kind: 'record', position: `${part} 1`, hostname, labels: { part }, part };
  }

  const typed = (type: string, hostname: string): SourceItem => ({
    kind: 'record',
    position: `${type} 1`,
    hostname,
    labels: { of: type },
    type,
  });

  const PARTS = ['devices', 'vms'];
  const ARCHIVES = { delete_host_if_not_found_on_import: true, delete_threshold_percent: 50 };

  describe('hosts that are gone', () => {
    it('are archived where they are of the type that the account names', async () => {
      const options = {
        ...ARCHIVES,
        delete_host_if_not_found_on_import: 'object_type:host',
        delete_threshold_percent: 100,
      };
      const [web, port] = [typed('host', 'web'), typed('interface', 'web:eth0')];
      await here.run(sourceOf([web, port, typed('host', 'stays')]), { options });
      const { summary } = await here.run(sourceOf([typed('host', 'stays')]), { options });
      expect(summary.archived).toBe(1);
      expect((await here.active()).sort()).toEqual(['stays', 'web:eth0']);
    });

    it('are archived of one part likewise', async () => {
      const options = {
        ...ARCHIVES,
        delete_host_if_not_found_on_import: 'object_type:host',
        delete_threshold_percent: 100,
      };
      const part = { parts: PARTS, part: 'devices', options };
      const port = { ...typed('interface', 'd1:eth0'), part: 'devices' } as SourceItem;
      await here.run(sourceOf([of('devices', 'd1'), of('devices', 'd2'), port]), part);
      expect((await here.run(sourceOf([of('devices', 'd1')]), part)).summary.archived).toBe(1);
      expect((await here.active()).sort()).toEqual(['d1', 'd1:eth0']);
    });
  });

  describe('parts of a source', () => {
    const whole = { parts: PARTS, options: ARCHIVES };

    beforeEach(async () => {
      const items = [of('devices', 'd1'), of('devices', 'd2'), of('vms', 'v1'), of('vms', 'v2'), of('vms', 'both')];
      await here.run(sourceOf([...items, of('devices', 'both2')]), whole);
    });

    it('are read by name, and archive only what they brought themselves', async () => {
      let asked: string | undefined;
      const source = {
        async *read({ part }: { readonly part?: string }) {
          asked = part;
          yield [of('vms', 'v1'), of('vms', 'both')];
        },
      };
      const report = await here.run(source, { ...whole, part: 'vms' });
      expect(asked).toBe('vms');
      expect(report).toMatchObject({ status: 'done', summary: { archived: 1 }, archivedSample: ['v2'] });
      expect(await here.active()).toEqual(['both', 'both2', 'd1', 'd2', 'v1']);
    });

    it('archive nothing that another part brought meanwhile', async () => {
      const moved = await here.run(
        sourceOf([of('devices', 'd1'), of('devices', 'd2'), of('devices', 'both'), of('devices', 'both2')]),
        {
          ...whole,
          part: 'devices',
        },
      );
      expect(moved.status).toBe('done');
      const report = await here.run(sourceOf([of('vms', 'v1'), of('vms', 'v2')]), { ...whole, part: 'vms' });
      expect(report.summary.archived).toBe(0);
      expect(await here.active()).toContain('both');
    });

    it('archive nothing of other accounts, nor beyond the threshold', async () => {
      const refused = await here.run(sourceOf([of('vms', 'v1')]), { ...whole, part: 'vms' });
      expect(refused.status).toBe('failed');
      expect(refused.message).toContain('the part vms of the source no longer has 2 of 3 hosts (67 %)');
      await here.run(sourceOf([of('vms', 'v2')]), { account: { ...OTHER, isMaster: true } });
      const report = await here.run(sourceOf([of('vms', 'v1'), of('vms', 'both')]), { ...whole, part: 'vms' });
      expect(report.summary.archived).toBe(0);
      expect(await here.active()).toContain('v2');
    });

    it('leave relations of the others alone', async () => {
      const relations = [{ type: 'runs_on', target: 'd1' }];
      await here.run(sourceOf([{ ...of('vms', 'v1'), relations } as SourceItem, ...[of('devices', 'd1')]]), {
        parts: PARTS,
      });
      await here.run(sourceOf([of('devices', 'd1'), of('devices', 'd2'), of('devices', 'both2')]), {
        ...whole,
        part: 'devices',
      });
      expect(await here.storage.relations.of(['v1'])).toHaveLength(1);
    });

    describe('that a whole run does not read', () => {
      const vms = { ...of('vms', 'v1'), relations: [{ type: 'runs_on', target: 'd1' }], keys: { serial: ['J101'] } };

      function devicesAlone(...hostnames: readonly string[]): Source {
        return { ...sourceOf(hostnames.map((hostname) => of('devices', hostname))), parts: ['devices'] };
      }

      it('keep their labels, of an account that adds to hosts of others', async () => {
        const account = OTHER;
        const adds = { account, parts: PARTS, options: { mode: 'contribute' as const, precedence: 1 } };
        await here.run(sourceOf([{ ...vms, labels: { rack: 7 } } as SourceItem]), { ...adds, part: 'vms' });
        await here.run(devicesAlone('d1', 'd2'), adds);
        expect(await here.run(devicesAlone('d1'), adds)).toMatchObject({ status: 'done', withdrawn: 1 });
        expect(await here.labels('v1')).toEqual({ part: 'vms', rack: 7 });
        expect(await here.storage.marks.holders(['serial=J101'])).toMatchObject([{ hostname: 'v1' }]);
      });

      it('keep their relations, and are not reported as missing', async () => {
        await here.run(sourceOf([vms as SourceItem]), { parts: PARTS, part: 'vms' });
        const report = await here.run(devicesAlone('d1', 'd2'), { parts: PARTS });
        expect(report).toMatchObject({ relations: { removed: 0 }, unseen: { count: 1, sample: ['both2'] } });
        expect(await here.storage.relations.of(['v1'])).toHaveLength(1);
      });

      it('keep their names, although a new record has their keys', async () => {
        await here.run(sourceOf([vms as SourceItem]), { parts: PARTS, part: 'vms' });
        const moved = { ...of('devices', 'd9'), keys: { serial: ['J101'] } } as SourceItem;
        const report = await here.run(
          { ...sourceOf([of('devices', 'd1'), moved]), parts: ['devices'] },
          { parts: PARTS },
        );
        expect(report).toMatchObject({ renamed: 0, summary: { created: 1 } });
      });

      it('keep the sections that they fill', async () => {
        const fills = {
          account: OTHER,
          parts: PARTS,
          options: { fills: 'section' as const, delete_threshold_percent: 100 },
        };
        await here.run(sourceOf([of('vms', 'v1')]), { ...fills, part: 'vms' });
        await here.run(devicesAlone('d1', 'd2'), fills);
        expect(await here.run(devicesAlone('d1'), fills)).toMatchObject({ emptied: 1 });
        const found = await here.storage.hosts.findEach(['v1', 'd2']);
        expect(found.map((host) => host?.inventory.value)).toEqual([{ vmware: { part: 'vms' } }, { vmware: {} }]);
      });

      it('are none that an inventorizing run names', async () => {
        const options = { ...ARCHIVES, inventorize_key: 'ports' };
        await here.run(sourceOf([of('vms', 'd2')]), { parts: PARTS, part: 'vms', inventorize: true, options });
        expect(await here.run(devicesAlone('d1', 'both2'), { parts: PARTS, options })).toMatchObject({
          archivedSample: ['d2'],
        });
      });
    });

    it('count in a dry run what they would archive', async () => {
      const run = { ...whole, part: 'vms', dryRun: true };
      const report = await here.run(sourceOf([of('vms', 'v1'), of('vms', 'both')]), run);
      expect(report).toMatchObject({ summary: { archived: 1, unchanged: 2 }, archivedSample: ['v2'] });
      expect(await here.active()).toContain('v2');
    });

    it('are archived by a whole run as everything is, and forgotten then', async () => {
      const items = [
        of('devices', 'd1'),
        of('devices', 'd2'),
        of('vms', 'v1'),
        of('vms', 'both'),
        of('devices', 'both2'),
      ];
      expect(await here.run(sourceOf(items), whole)).toMatchObject({ archivedSample: ['v2'] });
      expect(await here.storage.marks.count({ accountId: WEB.id, kind: 'part', value: 'vms' })).toBe(2);
    });
  });

  describe('types of records', () => {
    it('are what the stored object is', async () => {
      const report = await here.run(
        sourceOf([typed('host', 'web1'), typed('network', 'lan-muc'), typed('host', 'web2')]),
      );
      expect(report).toMatchObject({ status: 'done', summary: { created: 3 } });
      const found = await here.storage.hosts.findEach(['web1', 'lan-muc', 'web2']);
      expect(found.map((host) => [host?.isObject, host?.objectType])).toEqual([
        [false, 'host'],
        [true, 'network'],
        [false, 'host'],
      ]);
      const again = await here.run(
        sourceOf([typed('host', 'web1'), typed('network', 'lan-muc'), typed('host', 'web2')]),
      );
      expect(again.summary).toMatchObject({ unchanged: 3 });
    });

    it('make a conflict of a name that is another thing already, whatever the order', async () => {
      await here.run(sourceOf([typed('host', 'crm')]));
      const report = await here.run(sourceOf([typed('application', 'crm'), typed('host', 'web1')]));
      expect(report.summary).toMatchObject({ conflicts: 1, created: 1 });
      expect(withReasons(report.notWritten)[0]?.reason).toBe(
        'the "host" of that name is not of type "application"; give one of them another name',
      );
      expect(await here.labels('crm')).toEqual({ of: 'host' });
      const dry = await here.run(sourceOf([typed('application', 'crm')]), { dryRun: true });
      expect(dry.summary).toMatchObject({ conflicts: 1 });
    });

    it('that change do not archive what is there', async () => {
      await here.run(sourceOf([typed('host', 'crm'), typed('host', 'web1')]));
      const report = await here.run(sourceOf([typed('network', 'crm'), typed('host', 'web1')]), { options: ARCHIVES });
      expect(report.summary).toMatchObject({ conflicts: 1, unchanged: 1, archived: 0 });
      expect((await here.active()).sort()).toEqual(['crm', 'web1']);
    });

    it('are archived with the rest of the account', async () => {
      await here.run(sourceOf([typed('host', 'web1'), typed('network', 'lan')]), { options: ARCHIVES });
      const report = await here.run(sourceOf([typed('host', 'web1')]), { options: ARCHIVES });
      expect(report.archivedSample).toEqual(['lan']);
    });
  });
}
