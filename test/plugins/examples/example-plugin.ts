import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadPlugins } from '../../../src/app/kernel/plugin-host/load.ts';
import { offerPluginApi } from '../../../src/app/kernel/plugin-host/plugin-api-resolver.ts';
import { PluginRegistry } from '../../../src/app/kernel/plugin-host/registry.ts';
import { isObjectTarget, type TargetType } from '../../../src/ports/index.ts';
import { silent } from '../../app/import/support.ts';
import { ROOT } from '../../architecture/source-files.ts';

/** The target that a plugin in `examples/plugins` registers, loaded as the program does. */
export async function exampleTarget(folder: string): Promise<TargetType> {
  offerPluginApi({ 'muster/plugin-api': pathToFileURL(join(ROOT, 'dist/plugin-api.js')).href });
  const registry = new PluginRegistry();
  const modules = [join(ROOT, 'examples/plugins', folder)];
  const options = { builtin: [], modules, settings: {}, directory: ROOT, timeoutSeconds: 30, logger: silent };
  await loadPlugins(registry, options);
  const [id = ''] = registry.targetIds();
  const registered = registry.target(id);
  if (registered === undefined) throw new Error(JSON.stringify(registry.statuses()));
  if (isObjectTarget(registered.item)) throw new Error(`${id} is a target with objects`);
  return registered.item;
}
