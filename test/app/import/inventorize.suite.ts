import { beforeEach, describe, expect, it } from 'vitest';
import { compileHostnameTemplate } from '../../../src/kit/options/hostname-template.ts';
import type { JsonValue, Source, SourceItem } from '../../../src/ports/index.ts';
import type { CreateStore } from './support.ts';
import { gap, OTHER, record, sourceOf, type World, withReasons, worlds } from './support.ts';

export function describeInventorize(create?: CreateStore): void {
  const world = worlds(create);
  let here: World;

  function records(list: readonly (readonly [string, Record<string, string>])[]): Source {
    return sourceOf(list.map(([name, labels]) => record(name, labels)));
  }

  beforeEach(async () => {
    here = await world();
    await here.run(
      records([
        ['web1.example.org', { site: 'berlin' }],
        ['web2.example.org', { site: 'paris' }],
        ['db1.example.net', { site: 'berlin' }],
      ]),
      { account: OTHER },
    );
  });

  const INTO = { inventorize_key: 'asset' };

  async function inventory(hostname: string): Promise<JsonValue | undefined> {
    return (await here.storage.hosts.find(hostname))?.inventory.value;
  }

  describe('inventorizing', () => {
    it('fills a section of hosts of any account and creates none', async () => {
      const source = records([
        ['web1.example.org', { rack: 'r1', owner: 'a' }],
        ['nobody.example.org', { rack: 'r2' }],
      ]);
      const report = await here.run(source, { inventorize: true, options: INTO });
      expect(report.status).toBe('done');
      expect(report.summary).toMatchObject({ seen: 2, created: 0, updated: 1, skipped: 1 });
      expect(withReasons(report.notWritten)[0]?.reason).toContain('no host fits it');
      expect(await inventory('web1.example.org')).toEqual({ asset: { rack: 'r1', owner: 'a' } });
      expect(await inventory('nobody.example.org')).toBeUndefined();
      expect(await here.labels('web1.example.org')).toEqual({ site: 'berlin' });
      expect((await here.run(source, { inventorize: true, options: INTO })).summary).toMatchObject({ unchanged: 1 });
    });

    it('replaces the section and leaves the others', async () => {
      await here.run(records([['web1.example.org', { a: '1', b: '2' }]]), { inventorize: true, options: INTO });
      const other = { inventorize: true, options: { inventorize_key: 'other' } };
      await here.run(records([['web1.example.org', { c: '3' }]]), other);
      await here.run(records([['web1.example.org', { b: '4' }]]), { inventorize: true, options: INTO });
      expect(await inventory('web1.example.org')).toEqual({ asset: { b: '4' }, other: { c: '3' } });
    });

    it('takes every record of a name, the last one wins, over batches too', async () => {
      const many: [string, Record<string, string>][] = Array.from({ length: 1203 }, (_, index) => [
        'web1.example.org',
        { run: `${index}` },
      ]);
      const report = await here.run(records(many), { inventorize: true, options: INTO });
      expect(report.summary.skipped).toBe(0);
      expect(await inventory('web1.example.org')).toEqual({ asset: { run: '1202' } });
    });

    it('with inventorize_match_by_domain fills the hosts whose names end with that of the record', async () => {
      const options = { ...INTO, inventorize_match_by_domain: true };
      const source = records([
        ['example.org', { zone: 'org' }],
        ['example.com', { zone: 'com' }],
      ]);
      const report = await here.run(source, { inventorize: true, options });
      expect(report.summary).toMatchObject({ updated: 1, skipped: 1 });
      expect(await inventory('web1.example.org')).toEqual({ asset: { zone: 'org' } });
      expect(await inventory('web2.example.org')).toEqual({ asset: { zone: 'org' } });
      expect(await inventory('db1.example.net')).toEqual({});
    });

    it.each([
      ['site', { site: 'berlin' }],
      ['site=place', { place: ' berlin ' }],
    ])('with inventorize_match_attribute %s fills only hosts of that value', async (match, fields) => {
      const options = { ...INTO, inventorize_match_by_domain: true, inventorize_match_attribute: match };
      const report = await here.run(records([['.example.org', { ...fields, x: '1' }]]), { inventorize: true, options });
      expect(report.summary).toMatchObject({ seen: 1, updated: 1 });
      expect(await inventory('web1.example.org')).toEqual({ asset: { ...fields, x: '1' } });
      expect(await inventory('web2.example.org')).toEqual({});
      const named = { ...INTO, inventorize_match_attribute: match };
      const other = await here.run(records([['web2.example.org', fields]]), { inventorize: true, options: named });
      expect(withReasons(other.notWritten)[0]?.reason).toContain('inventorize_match_attribute');
      expect(other.warningsTotal).toBe(0);
    });

    it('with inventorize_collect_by_key tells a host the records that name it', async () => {
      const options = { ...INTO, inventorize_collect_by_key: 'host' };
      const source = records([
        ['vm1', { host: 'db1.example.net' }],
        ['web1.example.org', { host: 'db1.example.net' }],
        ['db1.example.net', { host: 'db1.example.net' }],
        ['vm2', { host: 'nobody' }],
      ]);
      await here.run(source, { inventorize: true, options });
      expect(await inventory('db1.example.net')).toEqual({
        asset: { host: 'db1.example.net' },
        asset_collection: { 0: 'vm1', 1: 'web1.example.org' },
      });
    });

    it('collects likewise when one part of the source is read', async () => {
      const options = { ...INTO, inventorize_collect_by_key: 'host' };
      const settings = { inventorize: true, options, parts: ['vms', 'ports'], part: 'ports' };
      const report = await here.run(records([['vm1', { host: 'db1.example.net' }]]), settings);
      expect(report.status).toBe('done');
      expect(await inventory('db1.example.net')).toEqual({ asset_collection: { 0: 'vm1' } });
      await here.run(records([['vm2', { host: 'db1.example.net' }]]), { ...settings, dryRun: true });
      await here.run(sourceOf([record('vm3', { host: 'db1.example.net' }), gap()]), settings);
      expect(await inventory('db1.example.net')).toEqual({ asset_collection: { 0: 'vm1' } });
    });

    it('counts each section of a host by itself', async () => {
      const part = (suffix: string, content: Record<string, JsonValue>): SourceItem => ({
        kind: 'record',
        position: suffix,
        hostname: 'web1.example.org',
        labels: {},
        fills: { suffix, content },
      });
      const settings = { inventorize: true, options: INTO };
      await here.run(sourceOf([part('a', { x: 1 }), part('b', { x: 1 })]), settings);
      const source = sourceOf([part('a', { x: 2 }), part('b', { x: 1 })]);
      for (const dryRun of [true, false]) {
        expect((await here.run(source, { ...settings, dryRun })).summary).toMatchObject({ updated: 1, unchanged: 1 });
      }
      await here.fill('web1.example.org');
      const large = sourceOf([part('a', { text: 'x'.repeat(1_000) }), part('b', { x: 1 })]);
      const report = await here.run(large, settings);
      expect(report.summary).toMatchObject({ skipped: 1, unchanged: 1 });
      expect(withReasons(report.notWritten)).toMatchObject([
        { position: 'a', hostname: 'web1.example.org', reason: expect.stringContaining('MAX_HOST_BYTES') },
      ]);
    });

    it('keeps what was collected before when a part of the source could not be read', async () => {
      const options = { ...INTO, inventorize_collect_by_key: 'host' };
      const all = records([
        ['vm1', { host: 'db1.example.net' }],
        ['vm2', { host: 'db1.example.net' }],
      ]);
      await here.run(all, { inventorize: true, options });
      const part = sourceOf([record('vm1', { host: 'db1.example.net' }), gap()]);
      expect((await here.run(part, { inventorize: true, options })).status).toBe('partial');
      expect(await inventory('db1.example.net')).toEqual({ asset_collection: { 0: 'vm1', 1: 'vm2' } });
    });

    it('may make the name of the collecting host by a template', async () => {
      const options = { ...INTO, inventorize_collect_by_key: 'host' };
      const collectTemplate = compileHostnameTemplate('{{ host }}.example.net');
      await here.run(records([['vm1', { host: 'db1' }]]), { inventorize: true, options, collectTemplate });
      expect(await inventory('db1.example.net')).toEqual({ asset_collection: { 0: 'vm1' } });
    });

    it('tries out what it would do and writes nothing', async () => {
      const diffs: unknown[] = [];
      const source = records([['web1.example.org', { rack: 'r1' }]]);
      const report = await here.run(source, {
        inventorize: true,
        options: INTO,
        dryRun: true,
        onDiff: (diff) => diffs.push(diff),
      });
      expect(report.summary).toMatchObject({ updated: 1 });
      expect(diffs).toEqual([
        {
          hostname: 'web1.example.org',
          outcome: 'updated',
          changes: [{ path: 'inventory.asset', after: { rack: 'r1' } }],
        },
      ]);
      expect(await inventory('web1.example.org')).toEqual({});
    });

    it('says which option it needs', async () => {
      const source = records([['web1.example.org', { rack: 'r1' }]]);
      expect(await here.run(source, { inventorize: true })).toMatchObject({
        status: 'failed',
        message: 'set inventorize_key of account web: the inventory section that it fills',
      });
      const dotted = await here.run(source, { inventorize: true, options: { inventorize_key: 'a.b' } });
      expect(dotted.message).toMatch(/^inventorize_key of account web: .*dot/);
    });

    it('archives nothing, and passes archived hosts by', async () => {
      await here.storage.hosts.archive({
        hostnames: ['db1.example.net'],
        by: 'operator',
        at: here.deps.clock.now(),
        scope: null,
        actor: { kind: 'user', name: 'ada' },
      });
      const options = { ...INTO, delete_host_if_not_found_on_import: true };
      const source: readonly [string, Record<string, string>][] = [['db1.example.net', { a: '1' }]];
      const report = await here.run(records(source), { inventorize: true, account: OTHER, options });
      expect(report.summary).toMatchObject({ archived: 0, skipped: 1 });
      expect(await here.active()).toEqual(['web1.example.org', 'web2.example.org']);
    });
  });
}
