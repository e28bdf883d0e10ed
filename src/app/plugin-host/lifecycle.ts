import type { AppError, Logger, Plugin } from '../../ports/index.ts';
import { guarded, pluginError } from './guard.ts';
import type { PluginRegistry } from './registry.ts';

/** Starts what is registered. A plugin that does not start is stopped, left out and reported; the others go on. */
export async function startPlugins(
  plugins: readonly Plugin<never>[],
  deps: { readonly registry: PluginRegistry; readonly timeoutSeconds: number; readonly logger: Logger },
): Promise<void> {
  const { registry, timeoutSeconds, logger } = deps;
  for (const plugin of plugins) {
    if (plugin.start === undefined) continue;
    const call = { pluginId: plugin.id, what: 'start', timeoutSeconds };
    try {
      await guarded(call, (signal) => plugin.start?.(signal));
    } catch (error) {
      logger.error('plugin did not start and is left out', { plugin: plugin.id, error });
      for (const failure of await stopPlugins([plugin], { timeoutSeconds })) {
        logger.warn('plugin that did not start did not stop either', { plugin: plugin.id, error: failure });
      }
      registry.fail(plugin.id, error instanceof Error ? error.message : String(error));
    }
  }
}

/** Stops all in reverse order, each within the time limit. Answers what went wrong; never throws. */
export async function stopPlugins(
  plugins: readonly Plugin<never>[],
  { timeoutSeconds }: { readonly timeoutSeconds: number },
): Promise<readonly AppError[]> {
  const failures: AppError[] = [];
  for (const plugin of [...plugins].reverse()) {
    const call = { pluginId: plugin.id, what: 'stop', timeoutSeconds };
    try {
      await guarded(call, () => plugin.stop?.());
    } catch (error) {
      failures.push(pluginError(call, error));
    }
  }
  return failures;
}
