import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { offerPluginApi } from '../../../src/app/kernel/plugin-host/plugin-api-resolver.ts';
import type { Plugin, SourceRecord } from '../../../src/ports/index.ts';
import {
  describePluginActionContract,
  describeRecordProcessorContract,
  pluginUnderTest,
} from '../../../src/testing.ts';
import { ROOT } from '../../architecture/source-files.ts';

offerPluginApi({ 'muster/plugin-api': pathToFileURL(join(ROOT, 'dist/plugin-api.js')).href });
const { default: siteTools } = (await import(
  pathToFileURL(join(ROOT, 'examples/plugins/site-tools/index.js')).href
)) as {
  default: Plugin;
};
const plugin = pluginUnderTest(siteTools);
const processor = () => plugin.recordProcessor('site-city', { cities: { codfw: 'Dallas' }, closed: ['esams'] });

function record(hostname: string, site: string): SourceRecord {
  return { kind: 'record', position: `host ${hostname}`, hostname, labels: { site } };
}
const RECORDS = [record('mw2259', 'codfw'), record('cp3050', 'esams'), record('mw1414', 'eqiad')];

describeRecordProcessorContract('site-city', { open: processor, records: RECORDS });
describePluginActionContract('site-report', {
  action: plugin.action('site-report'),
  input: { at_least: '2' },
  answers: {
    'search/count-hosts': {
      size: 3,
      fields: [
        {
          field: 'site',
          values: [
            { value: 'eqiad', count: 2 },
            { value: 'drmrs', count: 1 },
          ],
        },
      ],
    },
  },
});

describe('the example of a processor and an action', () => {
  it('adds the city, leaves out closed sites, and lets others pass', async () => {
    const processed = await processor().process(RECORDS, { signal: new AbortController().signal });
    expect(processed).toEqual([
      { ...RECORDS[0], labels: { site: 'codfw', city: 'Dallas' } },
      { kind: 'left_out' },
      RECORDS[2],
    ]);
  });

  it('has a page that calls the action', () => {
    expect(plugin.page('sites').html).toContain("muster.call('site-report'");
  });
});
