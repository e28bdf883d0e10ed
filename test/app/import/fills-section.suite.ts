import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonValue, Source } from '../../../src/ports/index.ts';
import type { CreateStore } from './support.ts';
import { gap, hostNames, OTHER, record, skipped, sourceOf, WEB, type World, worlds } from './support.ts';

export function describeFillsSection(create?: CreateStore): void {
  const world = worlds(create);
  const FILLS = { fills: 'section' } as const;
  const THIRD = { ...WEB, id: 'c'.repeat(24), name: 'third', type: 'netbox' };

  let here: World;

  beforeEach(async () => {
    here = await world();
    await here.run(sourceOf(hostNames(5)), { account: OTHER });
  });

  function names(...numbers: number[]): string[] {
    return numbers.map((number) => `h0000${number}`);
  }

  function records(hostnames: readonly string[], labels: Record<string, JsonValue> = { cpus: 4 }): Source {
    return sourceOf(hostnames.map((hostname) => record(hostname, labels)));
  }

  async function sections(key = 'vmware'): Promise<JsonValue[]> {
    const found = await here.storage.hosts.findEach(names(0, 1, 2, 3, 4));
    return found.map((host) => host?.inventory.value[key] ?? null);
  }

  const FULL = { cpus: 4 };

  describe('an account that fills a section', () => {
    it('writes into the section of its type, of hosts of any account, and creates none', async () => {
      const report = await here.run(records([...names(0, 1), 'nobody']), { options: FILLS });
      expect(report).toMatchObject({ status: 'done', summary: { updated: 2, skipped: 1, created: 0 } });
      expect(await sections()).toEqual([FULL, FULL, null, null, null]);
      expect(await here.active()).toHaveLength(5);
    });

    it.each([
      [{ section: 'hypervisor', inventorize_key: 'other' }, 'hypervisor'],
      [{ inventorize_key: 'other' }, 'other'],
    ])('writes into the one that its options name: %j', async (options, key) => {
      await here.run(records(names(0)), { options: { ...FILLS, ...options } });
      expect(await sections(key)).toEqual([FULL, null, null, null, null]);
    });

    it('empties it on hosts that a complete run no longer names', async () => {
      const options = { ...FILLS, delete_threshold_percent: 50 };
      await here.run(records(names(0, 1, 2, 3)), { options });
      const report = await here.run(records(names(0, 1, 2)), { options });
      expect(report).toMatchObject({ status: 'done', emptied: 1, summary: { unchanged: 3, archived: 0 } });
      expect(await sections()).toEqual([FULL, FULL, FULL, {}, null]);
      expect(await here.run(records(names(0, 1, 2)), { options })).toMatchObject({ emptied: 0 });
      await here.run(records(names(0, 1, 2, 3)), { options });
      expect((await sections())[3]).toEqual(FULL);
    });

    it('empties none when that would be more than the threshold allows, and says what to do', async () => {
      await here.run(records(names(0, 1, 2, 3)), { options: FILLS });
      const report = await here.run(records(names(0)), { options: FILLS });
      expect(report.status).toBe('failed');
      expect(report.message).toBe(
        'the source no longer names 3 of 4 hosts whose section vmware it filled (75 %), and the threshold is 20 %; no section was emptied. ' +
          'If they are really gone, set delete_threshold_percent of the account to 76, import again, and set it back',
      );
      expect(await sections()).toEqual([FULL, FULL, FULL, FULL, null]);
    });

    it.each<[string, Source]>([
      ['has a gap', sourceOf([record('h00000', FULL), gap()])],
      ['breaks off', sourceOf([record('h00000', FULL)], new Error('cut off'))],
      ['has nothing', sourceOf([])],
    ])('empties none when the source %s', async (_, source) => {
      const options = { ...FILLS, delete_threshold_percent: 100 };
      await here.run(records(names(0, 1)), { options });
      await here.run(source, { options });
      expect(await sections()).toEqual([FULL, FULL, null, null, null]);
    });

    it('spares hosts that the source names in records that cannot be used', async () => {
      const options = { ...FILLS, delete_threshold_percent: 100 };
      await here.run(records(names(0, 1, 2)), { options });
      const source = sourceOf([record('h00000', FULL), skipped('has an unfinished value', 'h00001')]);
      expect(await here.run(source, { options })).toMatchObject({ emptied: 1 });
      expect(await sections()).toEqual([FULL, FULL, {}, null, null]);
    });

    it('leaves a section that another account fills too', async () => {
      const options = { ...FILLS, section: 'vm', delete_threshold_percent: 100 };
      await here.run(records(names(0, 1)), { options });
      await here.run(records(names(1, 2), { cpus: 8 }), { options, account: THIRD });
      await here.run(records(names(0)), { options });
      expect(await sections('vm')).toEqual([FULL, { cpus: 8 }, { cpus: 8 }, null, null]);
      expect(await here.run(records(names(2), { cpus: 8 }), { options, account: THIRD })).toMatchObject({ emptied: 1 });
      expect(await sections('vm')).toEqual([FULL, {}, { cpus: 8 }, null, null]);
    });

    it('empties what was collected under a host, and only when every record could be used', async () => {
      const options = { ...FILLS, inventorize_collect_by_key: 'parent', delete_threshold_percent: 100 };
      const under = (hostname: string, parent: string) => record(hostname, { parent });
      await here.run(sourceOf([under('vm1', 'h00000'), under('vm2', 'h00001')]), { options });
      expect(await sections('vmware_collection')).toEqual([{ 0: 'vm1' }, { 0: 'vm2' }, null, null, null]);
      await here.run(sourceOf([under('vm1', 'h00000'), skipped('cannot be read', 'vm2')]), { options });
      expect(await sections('vmware_collection')).toEqual([{ 0: 'vm1' }, { 0: 'vm2' }, null, null, null]);
      await here.run(sourceOf([under('vm1', 'h00000')]), { options });
      expect(await sections('vmware_collection')).toEqual([{ 0: 'vm1' }, {}, null, null, null]);
    });

    it('says in a dry run how many it would empty', async () => {
      const options = { ...FILLS, delete_threshold_percent: 50 };
      await here.run(records(names(0, 1)), { options });
      const report = await here.run(records(names(0, 2)), { options, dryRun: true });
      expect(report).toMatchObject({ emptied: 1, summary: { updated: 1, unchanged: 1 } });
      expect(await sections()).toEqual([FULL, FULL, null, null, null]);
      expect(await here.run(records(names(0, 2)), { options })).toMatchObject({ emptied: 1 });
    });

    it('with a run of an existing installation empties nothing', async () => {
      const options = { inventorize_key: 'vmware', delete_threshold_percent: 100 };
      await here.run(records(names(0, 1)), { inventorize: true, options });
      expect(await here.run(records(names(0)), { inventorize: true, options })).toMatchObject({ emptied: 0 });
      expect(await sections()).toEqual([FULL, FULL, null, null, null]);
    });
  });
}
