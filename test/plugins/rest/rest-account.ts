import { httpClients } from '../../../src/adapters/http-client/client.ts';
import { systemClock } from '../../../src/adapters/system-clock.ts';
import { parseAccountOptions } from '../../../src/app/accounts/decisions/account-options.ts';
import { loadPlugins } from '../../../src/app/kernel/plugin-host/load.ts';
import { PluginRegistry } from '../../../src/app/kernel/plugin-host/registry.ts';
import { textOf } from '../../../src/kit/worded.ts';
import rest from '../../../src/plugins/rest/index.ts';
import type {
  Http,
  Plugin,
  Source,
  SourceAccount,
  SourceFiles,
  SourceItem,
  SourceType,
} from '../../../src/ports/index.ts';
import { noPrograms } from '../../support/no-programs.ts';
import { recordingLogger } from '../../support/recording-logger.ts';

/** Clients that do not wait between tries. */
const httpWithFewRetries: Http = {
  client: (settings) =>
    httpClients({
      clock: systemClock,
      random: () => 0,
      sleep: async (_seconds, signal) => signal.throwIfAborted(),
    }).client({
      ...settings,
      limits: { connectSeconds: 2, ...settings.limits },
      retry: { attempts: 2 },
    }),
};

/** The source type of that name, as the plugin registers it. */
export async function restType(id = 'rest', folder = ''): Promise<SourceType> {
  const found = (await restRegistry(folder)).source(id);
  if (found === undefined) throw new Error(`there is no source ${id}`);
  return found.item;
}

/** What the plugin registers, with presets of a folder. */
export async function restRegistry(folder = ''): Promise<PluginRegistry> {
  const registry = new PluginRegistry();
  await loadPlugins(registry, {
    builtin: [rest] as unknown as readonly Plugin<never>[],
    modules: [],
    settings: { rest: { presets: folder } },
    directories: [],
    timeoutSeconds: 5,
    logger: recordingLogger([]),
  });
  return registry;
}

export interface AccountFields {
  readonly type?: string;
  readonly folder?: string;
  readonly account?: Partial<SourceAccount>;
  readonly http?: Http;
}

/** A source with the options of an account, as they are stored. */
export async function openRest(
  url: string,
  fields: Readonly<Record<string, unknown>>,
  { type: id = 'rest', folder = '', account = {}, http = httpWithFewRetries }: AccountFields = {},
): Promise<Source> {
  const type = await restType(id, folder);
  const { source } = parseAccountOptions(type, fields);
  return type.open(
    source,
    { name: 'cmdb', address: url, username: '', password: '', ...account },
    {
      logger: recordingLogger([]),
      http,
      files: noFiles,
      programs: noPrograms,
    },
  );
}

/** This source reads none. */
const noFiles = {} as SourceFiles;

/** Names of the records, and what else came in words. */
export function told(items: readonly SourceItem[]): readonly string[] {
  return items.map((item) => {
    if (item.kind === 'record') return item.hostname;
    if (item.kind === 'gap') return `gap: ${textOf(item.what)}: ${textOf(item.reason)}`;
    return item.kind === 'skipped' ? `skipped: ${item.position}: ${textOf(item.reason)}` : item.kind;
  });
}
