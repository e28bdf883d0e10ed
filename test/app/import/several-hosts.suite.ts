import { describe, expect, it } from 'vitest';
import { compileHostnameTemplate } from '../../../src/kit/options/hostname-template.ts';
import type { CreateStore } from './support.ts';
import { record, skipped, sourceOf, withReasons, worlds } from './support.ts';

export function describeSeveralHosts(create?: CreateStore): void {
  const world = worlds(create);
  const NODES = compileHostnameTemplate('{{ nodes }}');

  describe('a record of which rewrite_hostname makes a list', () => {
    it('is a host for each of its names, all with its labels', async () => {
      const { run, active, labels } = await world();
      const report = await run(
        sourceOf([
          record('cluster', { nodes: ['a', ' b ', '', 'a', 7, true, 1.5], os: 'linux' }),
          record('x', { nodes: 'c' }),
        ]),
        { template: NODES },
      );
      expect(report).toMatchObject({ status: 'done', summary: { seen: 4, created: 4 } });
      expect(await active()).toEqual(['7', 'a', 'b', 'c']);
      expect(await labels('b')).toMatchObject({ os: 'linux' });
    });

    it('counts as so many records, each in one count', async () => {
      const { run } = await world();
      const report = await run(
        sourceOf([record('one', { nodes: ['a', 'b/c', 'd'] }), record('two', { nodes: ['d', 'e'] })]),
        {
          template: NODES,
        },
      );
      expect(report.summary).toMatchObject({ seen: 5, created: 3, conflicts: 0, skipped: 2, failed: 0 });
    });

    it('of no names imports nothing and says so', async () => {
      const { run, active } = await world();
      const report = await run(sourceOf([record('none', { nodes: [] }), record('some', { nodes: ['a'] })]), {
        template: NODES,
      });
      expect(report.summary).toMatchObject({ seen: 2, created: 1, skipped: 1 });
      expect(withReasons(report.notWritten)[0]).toMatchObject({
        hostname: 'none',
        reason: expect.stringMatching(/empty list/),
      });
      expect(await active()).toEqual(['a']);
    });

    it('loses the hosts that it no longer names, and keeps those of a record that could not be read', async () => {
      const { run, active } = await world();
      const options = { delete_host_if_not_found_on_import: true, delete_threshold_percent: 100 };
      const template = compileHostnameTemplate("{{ [HOSTNAME ~ '-1', HOSTNAME ~ '-2'] }}");
      await run(sourceOf([record('a'), record('b'), record('c')]), { template, options });
      await run(sourceOf([record('a'), skipped('too short', 'b')]), { template, options });
      expect(await active()).toEqual(['a-1', 'a-2', 'b-1', 'b-2']);
    });

    it('is written in many batches', async () => {
      const { run } = await world();
      const nodes = Array.from({ length: 1_201 }, (_, index) => `n${index}`);
      expect((await run(sourceOf([record('big', { nodes })]), { template: NODES })).summary.created).toBe(1_201);
    });
  });

  describe('records of one host with list_labels', () => {
    const options = { list_labels: ['package', 'version'], null_values: ['NULL'] };

    it('become one, wherever they stand, with the values of all in their order', async () => {
      const { run, active, labels } = await world();
      const items = [
        record('a', { site: 'x', package: 'vim', version: '9' }),
        record('b', { site: 'y', package: 'git', version: 'NULL' }),
        record('a', { site: 'z', package: 'bash', version: '5.2' }),
        record('c', { site: 'y', package: 'NULL' }),
      ];
      const report = await run(sourceOf(items), { options });
      expect(report).toMatchObject({ status: 'done', summary: { seen: 3, created: 3, conflicts: 0 } });
      expect(await active()).toEqual(['a', 'b', 'c']);
      expect(await labels('a')).toMatchObject({ site: 'x', package: ['vim', 'bash'], version: ['9', '5.2'] });
      expect(await labels('b')).toMatchObject({ package: ['git'], version: [''] });
      expect(await labels('c')).toMatchObject({ package: [], version: [] });
      expect((await run(sourceOf(items), { options })).summary).toMatchObject({ unchanged: 3, updated: 0 });
    });

    it('leave a host as it is of which a record may be missing', async () => {
      const { run, active, labels } = await world();
      const archive = { ...options, delete_host_if_not_found_on_import: true, delete_threshold_percent: 100 };
      const packages = ['vim', 'git'].map((name) => record('a', { package: name }));
      await run(sourceOf([...packages, record('b', { package: 'git' })]), { options: archive });
      const part = sourceOf([record('a', { package: 'vim' }), { kind: 'gap', what: 'the rest', reason: 'timed out' }]);
      expect(await run(part, { options: archive })).toMatchObject({ status: 'failed', summary: { skipped: 1 } });
      const bad = [record('a', { package: 'vim' }), skipped('too short', 'a'), record('b', { package: 'bash' })];
      await run(sourceOf(bad), { options: archive });
      expect(await active()).toEqual(['a', 'b']);
      expect([await labels('a'), await labels('b')]).toMatchObject([
        { package: ['vim', 'git'] },
        { package: ['bash'] },
      ]);
    });
  });
}
