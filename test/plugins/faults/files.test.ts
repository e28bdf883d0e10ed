import { parseAccountOptions } from '../../../src/app/accounts/decisions/account-options.ts';
import { PluginRegistry } from '../../../src/app/kernel/plugin-host/registry.ts';
import csv from '../../../src/plugins/csv/index.ts';
import json from '../../../src/plugins/json/index.ts';
import yaml from '../../../src/plugins/yaml/index.ts';
import type { Plugin, Source } from '../../../src/ports/index.ts';
import {
  describeSourceFaults,
  type FaultySource,
  type SourceFault,
} from '../../../src/testing/source-faults.contract.ts';
import { temporaryFile, temporaryFolder } from '../../kit/shared/temporary-file.ts';
import { sourceFiles } from '../../support/files.ts';
import { noHttp } from '../../support/no-http.ts';
import { noPrograms } from '../../support/no-programs.ts';
import { recordingLogger } from '../../support/recording-logger.ts';
import { IMPORTED } from './imported-over.ts';

interface Format {
  readonly plugin: Plugin;
  /** A file of such hosts, each with a remark. */
  write(hosts: readonly { readonly name: string; readonly remark: string }[]): string;
  readonly invalid: string;
  readonly many: number;
}

const logger = recordingLogger([]);

function open({ plugin }: Format, path: string): Source {
  const registry = new PluginRegistry();
  plugin.register(registry.door(plugin.id, logger, []), undefined);
  const type = registry.source(plugin.id)?.item;
  if (type === undefined) throw new Error(`there is no source ${plugin.id}`);
  const { source } = parseAccountOptions(type, { path });
  const account = { name: 'files', address: '', username: '', password: '' };
  return type.open(source, account, { logger, files: sourceFiles, programs: noPrograms, http: noHttp });
}

const named = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `web${index + 1}.example.org`, remark: 'of a test' }));

async function made(format: Format, fault: SourceFault): Promise<FaultySource | undefined> {
  const hosts = named(fault === 'many records' ? format.many : 25);
  const whole = format.write(hosts);
  const file = async (text: string): Promise<FaultySource> => {
    const path = await temporaryFile(text);
    return { source: open(format, path), hostnames: hosts.map(({ name }) => name) };
  };
  const at = (path: string): FaultySource => ({ source: open(format, path), hostnames: [] });
  switch (fault) {
    case 'refused connection':
      return at('/nonexistent/hosts');
    case 'right missing':
      return at(await temporaryFolder());
    case 'answer without end':
      return at('/dev/zero');
    case 'cut off':
      return file(whole.slice(0, whole.lastIndexOf('of a') + 2));
    case 'invalid text':
      return file(format.invalid);
    case 'empty answer':
      return file('');
    case 'half of the records':
      return file(format.write(hosts.slice(0, 12)));
    case 'duplicate names':
      return file(format.write([...hosts, ...hosts.slice(0, 3)]));
    case 'record of 10 MB':
      return file(format.write([{ name: 'large.example.org', remark: 'x'.repeat(10_000_000) }, ...hosts]));
    case 'many records':
      return file(whole);
    // A file is one part, on this machine, that nobody logs in for.
    default:
      return undefined;
  }
}

const FORMATS: Readonly<Record<string, Format>> = {
  csv: {
    plugin: csv as Plugin,
    write: (hosts) => `host,remark\n${hosts.map(({ name, remark }) => `${name},"${remark}"`).join('\n')}\n`,
    invalid: 'no,such,column\n1,2,3\n',
    many: 200_000,
  },
  json: {
    plugin: json as Plugin,
    write: (hosts) => JSON.stringify(hosts.map(({ name, remark }) => ({ host: name, remark }))),
    invalid: '[{"host": "web1.example.org"}, }]',
    many: 200_000,
  },
  yaml: {
    plugin: yaml as Plugin,
    write: (hosts) => hosts.map(({ name, remark }) => `- {host: ${name}, remark: "${remark}"}\n`).join(''),
    invalid: '- host: [web1\n- }',
    many: 10_000,
  },
};

for (const [name, format] of Object.entries(FORMATS)) {
  describeSourceFaults(name, { make: (fault) => made(format, fault) });
  for (const { how, run } of IMPORTED) {
    describeSourceFaults(`${name}, ${how}`, {
      run,
      make: (fault) => (fault === 'many records' ? Promise.resolve(undefined) : made(format, fault)),
    });
  }
}
