import { maskedError } from '../../../kit/masking/masked.ts';
import { settingsMask } from '../../../kit/masking/secret-mask.ts';
import { secretOptionsOf } from '../../../kit/options/secret-options.ts';
import type { AppError, Logger, Plugin } from '../../../ports/index.ts';
import { guarded, pluginError } from './guard.ts';
import type { PluginRegistry } from './registry.ts';

/** By plugin id; what they hold under names of secrets is hidden in errors. */
type PluginSettings = Readonly<Record<string, unknown>>;

/** Starts what is registered. A plugin that does not start is stopped, left out and reported; the others go on. */
export async function startPlugins(
  plugins: readonly Plugin<never>[],
  deps: {
    readonly registry: PluginRegistry;
    readonly timeoutSeconds: number;
    readonly logger: Logger;
    readonly settings?: PluginSettings;
  },
): Promise<void> {
  const { registry, timeoutSeconds, logger, settings = {} } = deps;
  for (const plugin of plugins) {
    if (plugin.start === undefined) continue;
    const call = { pluginId: plugin.id, what: 'start', timeoutSeconds };
    try {
      await guarded(call, (signal) => plugin.start?.(signal));
    } catch (failed) {
      const error = maskedError(failed, maskOf(plugin, settings));
      logger.error('plugin did not start and is left out', { plugin: plugin.id, error });
      for (const failure of await stopPlugins([plugin], { timeoutSeconds, settings })) {
        logger.warn('plugin that did not start did not stop either', { plugin: plugin.id, error: failure });
      }
      registry.fail(plugin.id, error.message);
    }
  }
}

/** Stops all in reverse order, each within the time limit. Answers what went wrong; never throws. */
export async function stopPlugins(
  plugins: readonly Plugin<never>[],
  { timeoutSeconds, settings = {} }: { readonly timeoutSeconds: number; readonly settings?: PluginSettings },
): Promise<readonly AppError[]> {
  const failures: AppError[] = [];
  for (const plugin of [...plugins].reverse()) {
    const call = { pluginId: plugin.id, what: 'stop', timeoutSeconds };
    try {
      await guarded(call, () => plugin.stop?.());
    } catch (error) {
      failures.push(maskedError(pluginError(call, error), maskOf(plugin, settings)));
    }
  }
  return failures;
}

function maskOf({ id, options }: Plugin<never>, settings: PluginSettings): (text: string) => string {
  return settingsMask(settings[id], secretOptionsOf(options));
}
