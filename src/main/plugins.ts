import { FEATURES } from '../../generated/features.ts';
import { pluginWatch } from '../adapters/plugin-watch/plugin-watch.ts';
import { STORE_DRIVERS } from '../adapters/storage/drivers.ts';
import { loadPlugins } from '../app/kernel/plugin-host/load.ts';
import { offerPluginApi } from '../app/kernel/plugin-host/plugin-api-resolver.ts';
import { PluginRegistry } from '../app/kernel/plugin-host/registry.ts';
import { BUILTIN_PLUGINS, FEATURE_OF_PLUGIN } from '../plugins/index.ts';
import type { Logger, Plugin } from '../ports/index.ts';
import { configurationFolder } from './machine.ts';
import type { AppInput } from './settings.ts';

/** The plugins of the program and of the configuration, registered and not started. */
export async function composePlugins(
  input: AppInput,
  logger: Logger,
): Promise<{ registry: PluginRegistry; plugins: readonly Plugin<never>[] }> {
  const { config } = input;
  const registry = new PluginRegistry(STORE_DRIVERS.flatMap(({ schemes }) => schemes));
  if (config.PLUGINS.length > 0) {
    offerPluginApi({
      'plugin-api': new URL('./plugin-api.js', import.meta.url).href,
      kit: new URL('./kit.js', import.meta.url).href,
      'storage-api': new URL('./storage-api.js', import.meta.url).href,
      testing: new URL('./testing.js', import.meta.url).href,
    });
    const builtin = new Set(BUILTIN_PLUGINS.map(({ id }) => id));
    pluginWatch.begin({ builtin, timeoutSeconds: config.PLUGIN_TIMEOUT_SECONDS, logger });
  }
  const ownWords =
    config.PLUGINS.length === 0 ? {} : { ownWords: (await import('../app/rules/engine/own-words.ts')).ownWords() };
  const plugins = await loadPlugins(registry, {
    builtin: BUILTIN_PLUGINS.filter(({ id }) => hasFeature(FEATURE_OF_PLUGIN[id])),
    modules: config.PLUGINS,
    settings: config.PLUGIN_OPTIONS,
    directories: [input.workingDirectory, configurationFolder(input.workingDirectory)],
    timeoutSeconds: config.PLUGIN_TIMEOUT_SECONDS,
    logger,
    ...ownWords,
    whileLoading: pluginWatch.whileLoading,
  });
  return { registry, plugins };
}

function hasFeature(feature: string | undefined): boolean {
  return feature === undefined || FEATURES.has(feature);
}
