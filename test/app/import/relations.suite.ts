import { describe, expect, it } from 'vitest';
import type { HostDiff } from '../../../src/app/runs/import/import-stage.ts';
import { compileHostnameTemplate } from '../../../src/kit/options/hostname-template.ts';
import type { Source, SourceItem, SourceRelation } from '../../../src/ports/index.ts';
import type { CreateStore } from './support.ts';
import { gap, OTHER, sourceOf, WEB, withReasons, worlds } from './support.ts';

export function describeRelations(create?: CreateStore): void {
  const world = worlds(create);
  const ESX: SourceRelation = { type: 'runs_on', target: 'esx01' };
  const BLUE: SourceRelation = { type: 'member_of', target: 'blue' };

  function related(hostname: string, ...relations: SourceRelation[]): SourceItem {
    return { kind: 'record', position: 'line 2', hostname, labels: { os: 'linux' }, relations };
  }

  const edge = (hostname: string, { type, target }: SourceRelation, source = WEB.name) => ({
    hostname,
    type,
    target,
    source,
  });

  describe('relations of a source', () => {
    it('keeps the edges of its records, to hosts that come later too', async () => {
      const { run, storage } = await world();
      const report = await run(sourceOf([related('web1', ESX, BLUE, ESX), related('web2', ESX)]));
      expect(report).toMatchObject({ status: 'done', relations: { added: 3, removed: 0 } });
      const { relations } = storage;
      expect(await relations.of(['web1', 'web2'])).toEqual([edge('web1', BLUE), edge('web1', ESX), edge('web2', ESX)]);
      expect((await relations.list('web1', null))?.outgoing).toEqual([]);
      await run(sourceOf([related('esx01')]), { account: OTHER });
      expect((await relations.list('web1', null))?.outgoing).toEqual([edge('web1', ESX)]);
    });

    it('takes back what a complete run no longer names, and nothing of others', async () => {
      const { run, storage } = await world();
      await run(sourceOf([related('web1', ESX, BLUE), related('web2', ESX)]));
      await storage.relations.add(
        { ...edge('web1', BLUE), type: 'depends_on', source: 'manual', target: 'web2' },
        null,
      );
      await run(sourceOf([related('web1', BLUE)]), { account: OTHER, options: { mode: 'contribute' } });
      const report = await run(sourceOf([related('web1', ESX), related('web2')]));
      expect(report).toMatchObject({
        status: 'done',
        summary: { unchanged: 2 },
        relations: { added: 0, removed: 2 },
      });
      expect(await storage.relations.of(['web1', 'web2'])).toEqual([
        { hostname: 'web1', type: 'depends_on', target: 'web2', source: 'manual' },
        edge('web1', BLUE, OTHER.name),
        edge('web1', ESX),
      ]);
    });

    it('takes nothing back that it names when the clock is set back in between', async () => {
      const { run, storage, advance } = await world();
      const edges = [edge('web1', ESX), edge('web2', ESX)];
      await run(sourceOf([related('web1', ESX), related('web2', ESX)]));
      const source: Source = {
        async *read() {
          yield [related('web1', ESX)];
          advance(-3_600_000);
          yield [related('web2', ESX)];
        },
      };
      for (const hours of [2, 0]) {
        advance(hours * 3_600_000);
        expect(await run(source)).toMatchObject({ status: 'done', relations: { added: 0, removed: 0 } });
        expect(await storage.relations.of(['web1', 'web2'])).toEqual(edges);
      }
    });

    it.each<[string, readonly SourceItem[]]>([
      ['has a gap', [related('web1', ESX), gap()]],
      ['has nothing', []],
    ])('takes nothing back when the source %s', async (_, items) => {
      const { run, storage } = await world();
      await run(sourceOf([related('web1', ESX, BLUE)]));
      await run(sourceOf(items));
      expect(await storage.relations.of(['web1'])).toHaveLength(2);
    });

    it('takes nothing back when too many hosts are gone', async () => {
      const { run, storage } = await world();
      await run(sourceOf([related('web1', ESX), related('web2', ESX), related('web3', ESX)]));
      const options = { delete_host_if_not_found_on_import: true };
      const report = await run(sourceOf([related('web1', ESX)]), { options });
      expect(report.status).toBe('failed');
      expect(await storage.relations.of(['web1', 'web2', 'web3'])).toHaveLength(3);
    });

    it('names the other end as its records are named', async () => {
      const { run, storage } = await world();
      const template = compileHostnameTemplate('{{ HOSTNAME|lower }}', { now: () => new Date(0) });
      await run(sourceOf([related('WEB1', { type: 'runs_on', target: ' ESX01 ' })]), { template });
      expect(await storage.relations.of(['web1'])).toEqual([edge('web1', ESX)]);
    });

    it('names the other end as the source does where its new name needs more than the old one', async () => {
      const { run, storage } = await world();
      const template = compileHostnameTemplate("{{ HOSTNAME }}.{{ site | default('local') }}");
      await run(sourceOf([related('web1', ESX)]), { template });
      expect(await storage.relations.of(['web1.local'])).toEqual([edge('web1.local', ESX)]);
    });

    it('reports edges that cannot be stored by name, and stores the others', async () => {
      const { run, storage } = await world();
      const wrong: SourceRelation = { type: 'sits_in', target: 'rack 3' };
      const report = await run(
        sourceOf([related('web1', wrong, ESX, { type: 'runs_on', target: '' }), related('web2')]),
      );
      expect(report).toMatchObject({ status: 'partial', summary: { created: 1, failed: 1 } });
      expect(withReasons(report.notWritten)).toEqual([
        {
          position: 'line 2',
          hostname: 'web1',
          kind: 'failed',
          reason:
            'its relation "sits_in" to "rack 3" was not stored: types are depends_on, runs_on, member_of, parent_of, connects_to',
        },
      ]);
      expect(await storage.relations.of(['web1'])).toEqual([edge('web1', ESX)]);
    });

    it('stores no edge of a record that was not written, nor takes back the edges of its host', async () => {
      const { run, storage } = await world();
      await run(sourceOf([related('web1', ESX)]), { account: OTHER });
      await run(sourceOf([related('web2', ESX)]));
      await storage.hosts.archive({
        hostnames: ['web2'],
        by: 'operator',
        at: new Date(Date.UTC(2025, 0, 2)),
        scope: null,
        actor: { kind: 'user', name: 'ada' },
      });
      const report = await run(sourceOf([related('web1', BLUE), related('web2', BLUE), related('web3')]));
      expect(report.summary).toMatchObject({ conflicts: 1, skipped: 1, created: 1 });
      expect(await storage.relations.of(['web1'])).toEqual([edge('web1', ESX, OTHER.name)]);
    });

    it('shows in a dry run which edges are new, and stores none', async () => {
      const { run, storage } = await world();
      await run(sourceOf([related('web1', ESX)]));
      const diffs: HostDiff[] = [];
      const report = await run(sourceOf([related('web1', ESX, BLUE), related('web2', ESX)]), {
        dryRun: true,
        onDiff: (diff) => diffs.push(diff),
      });
      expect(report.summary).toMatchObject({ updated: 1, created: 1 });
      expect(diffs).toContainEqual({
        hostname: 'web1',
        outcome: 'updated',
        changes: [{ path: 'relations.member_of', after: 'blue' }],
      });
      expect(await storage.relations.of(['web1', 'web2'])).toEqual([edge('web1', ESX)]);
    });
  });
}
