import { parseAccountOptions } from '../../../src/app/accounts/decisions/account-options.ts';
import { PluginRegistry } from '../../../src/app/kernel/plugin-host/registry.ts';
import { lazyHttp } from '../../../src/main/http.ts';
import yaml from '../../../src/plugins/yaml/index.ts';
import type { Plugin, Source, SourceAccount, SourceType } from '../../../src/ports/index.ts';
import { sourceFiles } from '../../support/files.ts';
import { noPrograms } from '../../support/no-programs.ts';
import { recordingLogger } from '../../support/recording-logger.ts';

const logger = recordingLogger([]);
const http = lazyHttp({ now: () => new Date() });
const fewRetries = { attempts: 2, firstSeconds: 0 };

function yamlType(): SourceType {
  const registry = new PluginRegistry();
  (yaml as Plugin).register(registry.door('yaml', logger, []), undefined);
  const found = registry.source('yml');
  if (found === undefined) throw new Error('there is no source yml');
  return found.item;
}

/** A source with the options of an account of type `yml`, as they are stored. Its requests are hardly tried again. */
export function openYaml(fields: Readonly<Record<string, unknown>>, account: Partial<SourceAccount> = {}): Source {
  const type = yamlType();
  const { source } = parseAccountOptions(type, fields);
  return type.open(
    source,
    { name: 'documents', address: '', username: '', password: '', ...account },
    {
      logger,
      files: sourceFiles,
      programs: noPrograms,
      http: { client: (settings) => http.client({ ...settings, retry: { ...settings.retry, ...fewRetries } }) },
    },
  );
}
