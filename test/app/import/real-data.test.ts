import { describe, expect, it } from 'vitest';
import { parseAccountOptions } from '../../../src/app/accounts/decisions/account-options.ts';
import { previewSource } from '../../../src/app/preview/preview-source.ts';
import { importOptions } from '../../../src/kit/account-options/import-options.ts';
import { compileHostnameTemplate } from '../../../src/kit/options/hostname-template.ts';
import csvPlugin from '../../../src/plugins/csv/index.ts';
import jsonPlugin from '../../../src/plugins/json/index.ts';
import type { Plugin, PluginHost, Source, SourceType } from '../../../src/ports/index.ts';
import { sourceFiles } from '../../support/files.ts';
import { noHttp } from '../../support/no-http.ts';
import { noPrograms } from '../../support/no-programs.ts';
import { silent, skipped, sourceOf, withReasons, world } from './support.ts';

const NODES = new URL('../../../sample/wikimedia-nodes.csv', import.meta.url).pathname;
const DEVICES = new URL('../../../src/plugins/json/fixtures/netbox-devices.json', import.meta.url).pathname;

function open(plugin: Plugin<undefined>, fields: Record<string, string>): Source {
  const types: SourceType[] = [];
  const none = () => {
    throw new Error('file sources register sources only');
  };
  const host: PluginHost = {
    logger: silent,
    source: (type) => {
      types.push(type as SourceType);
    },
    ruleType: none,
    target: none,
    job: none,
    jobName: () => undefined,
    recordProcessor: none,
    action: none,
    page: none,
    templateFilter: none,
    secretSource: none,
    notificationChannel: none,
    signInMethod: none,
    conditionOperator: none,
    store: none,
    inventoryProvider: none,
    inventoryProviderFamily: none,
  };
  plugin.register(host, undefined);
  const [type] = types;
  if (type === undefined) throw new Error('nothing was registered');
  const account = { name: 'test', address: '', username: '', password: '' };
  return type.open(parseAccountOptions(type, fields).source, account, {
    logger: silent,
    files: sourceFiles,
    programs: noPrograms,
    http: noHttp,
  });
}

describe('imports of real data', () => {
  it('read the 964 nodes of the sample, and nothing changes the second time', async () => {
    const { run, labels } = await world();
    expect((await run(open(csvPlugin, { path: NODES }))).summary).toMatchObject({ seen: 964, created: 964 });
    expect((await run(open(csvPlugin, { path: NODES }))).summary).toMatchObject({ seen: 964, unchanged: 964 });
    expect(await labels('mw2259.codfw.wmnet')).toMatchObject({ site: 'codfw', services: 'apache2,nginx' });
  });

  it('read 48 of the 72 devices of NetBox and name the others', async () => {
    const { run } = await world();
    const source = () => open(jsonPlugin, { path: DEVICES, hostname_field: 'name' });
    const report = await run(source());
    expect(report.summary).toMatchObject({ seen: 72, created: 48, skipped: 24 });
    const reasons = withReasons(report.notWritten).map(({ reason }) => reason);
    expect(reasons.filter((reason) => reason.startsWith('has no name'))).toHaveLength(22);
    expect(withReasons(report.notWritten).filter(({ hostname }) => hostname === 'PP:MDF')).toHaveLength(2);
    expect((await run(source())).summary).toMatchObject({ unchanged: 48, created: 0, updated: 0 });
  });

  it('can be looked at before', async () => {
    const options = importOptions().parse({});
    const template = compileHostnameTemplate('{{ HOSTNAME.split(".")[0] }}');
    const signal = new AbortController().signal;
    const previews = await previewSource(open(csvPlugin, { path: NODES }), { options, template }, { signal });
    expect(previews).toHaveLength(3);
    expect(previews[0]).toMatchObject({
      position: 'line 2',
      name: 'mwdebug2001.codfw.wmnet',
      hostname: 'mwdebug2001',
      labels: { site: 'codfw' },
    });
    const [problem] = await previewSource(sourceOf([skipped('has no name')]), { options }, { signal });
    expect(problem).toEqual({ position: 'line 9', name: '', problem: 'has no name' });
    await expect(previewSource(open(csvPlugin, { path: 'absent.csv' }), { options }, { signal })).rejects.toThrow(
      /absent\.csv does not exist/,
    );
    await expect(previewSource(sourceOf([]), { options }, { signal })).rejects.toThrow(/no records/);
  });
});
