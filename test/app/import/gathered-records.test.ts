import { describe, expect, it } from 'vitest';
import { compileHostnameTemplate } from '../../../src/kit/options/hostname-template.ts';
import { record, skipped, sourceOf, withReasons, world } from './support.ts';

const LISTS = { list_labels: ['package'] };
const row = (hostname: string, name: string, more = {}) => record(hostname, { package: name, ...more });

describe('the rows of a host, with list_labels', () => {
  it.each([
    ['differ in case alone', { ...LISTS, lowercase_hostname: true }, undefined, ['WEB01', 'web01', ' Web01 ']],
    ['differ in characters that no one sees', LISTS, undefined, ['web01', 'web\u200b01', ' web01']],
    [
      'have one name by rewrite_hostname',
      LISTS,
      "{{ HOSTNAME | replace('.example.org', '') }}",
      ['web01', 'web01.example.org', 'web01'],
    ],
  ])('are one record where their names %s', async (_, options, template, names) => {
    const { run, labels, active } = await world();
    const rows = names.map((name, index) => row(name, `p${index}`));
    const settings = { options, template: template === undefined ? undefined : compileHostnameTemplate(template) };
    expect((await run(sourceOf(rows), settings)).summary).toMatchObject({ seen: 1, created: 1 });
    expect(await active()).toEqual(['web01']);
    expect(await labels('web01')).toEqual({ package: ['p0', 'p1', 'p2'] });
  });

  it('are several hosts where rewrite_hostname makes them of other fields', async () => {
    const { run, labels } = await world();
    const template = compileHostnameTemplate('{{ HOSTNAME }}.{{ site }}');
    await run(
      sourceOf([row('web', 'ssh', { site: 'x' }), row('web', 'vim', { site: 'y' }), row('web', 'git', { site: 'x' })]),
      { template, options: LISTS },
    );
    expect(await labels('web.x')).toEqual({ package: ['ssh', 'git'], site: 'x' });
    expect(await labels('web.y')).toEqual({ package: ['vim'], site: 'y' });
  });

  it('leave the host as it is where one of them could not be read, whatever its spelling', async () => {
    const { run, labels } = await world();
    const options = { ...LISTS, lowercase_hostname: true };
    await run(sourceOf([row('web01', 'ssh'), row('web01', 'vim'), row('web02', 'ssh')]), { options });
    const source = sourceOf([row('web01', 'ssh'), skipped('lacks a cell', 'WEB01'), row('web02', 'git')]);
    const report = await run(source, { options });
    expect(withReasons(report.notWritten).map(({ hostname, reason }) => [hostname, reason])).toEqual([
      ['WEB01', 'lacks a cell'],
      ['web01', 'not all of its records could be read'],
    ]);
    expect(await labels('web01')).toEqual({ package: ['ssh', 'vim'] });
    expect(await labels('web02')).toEqual({ package: ['git'] });
  });

  it('leave all hosts as they are where it is not known which of them one is of', async () => {
    const { run, labels } = await world();
    const settings = { template: compileHostnameTemplate('{{ HOSTNAME }}.{{ site }}'), options: LISTS };
    await run(sourceOf([row('a', 'ssh', { site: 'x' }), row('b', 'ssh', { site: 'x' })]), settings);
    const report = await run(sourceOf([row('a', 'git', { site: 'x' }), skipped('lacks a cell', 'b')]), settings);
    expect(report.summary).toMatchObject({ skipped: 2, updated: 0 });
    expect(await labels('a.x')).toMatchObject({ package: ['ssh'] });
  });
});
