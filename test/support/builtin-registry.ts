import { PluginRegistry } from '../../src/app/kernel/plugin-host/registry.ts';
import { BUILTIN_PLUGINS } from '../../src/plugins/index.ts';
import type { Logger } from '../../src/ports/index.ts';

const logger: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => logger };

/** Registers what comes with the program. */
export function registerBuiltins(plugins: PluginRegistry): PluginRegistry {
  for (const plugin of BUILTIN_PLUGINS) {
    plugin.register(plugins.door(plugin.id, logger, []), plugin.options?.parse({}) as never);
  }
  return plugins;
}

/** The names that built-in plugins bring of jobs of existing installations. */
export const BUILTIN_JOB_NAMES = registerBuiltins(new PluginRegistry()).jobNames();
