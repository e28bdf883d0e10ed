import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadPlugins } from '../../../src/app/kernel/plugin-host/load.ts';
import { offerPluginApi } from '../../../src/app/kernel/plugin-host/plugin-api-resolver.ts';
import { PluginRegistry } from '../../../src/app/kernel/plugin-host/registry.ts';
import { isObjectTarget, type ObjectTargetType, type TargetType } from '../../../src/ports/index.ts';
import { silent } from '../../app/import/support.ts';
import { ROOT } from '../../architecture/source-files.ts';

/** The target that a plugin in `examples/plugins` registers, loaded as the program does. */
export async function exampleTarget(folder: string): Promise<TargetType> {
  const type = await registeredTarget(folder);
  if (isObjectTarget(type)) throw new Error(`${type.id} is a target with objects`);
  return type;
}

/** The same of a plugin whose target has objects. */
export async function exampleObjectTarget(folder: string): Promise<ObjectTargetType> {
  const type = await registeredTarget(folder);
  if (!isObjectTarget(type)) throw new Error(`${type.id} is no target with objects`);
  return type;
}

async function registeredTarget(folder: string): Promise<TargetType | ObjectTargetType> {
  offerPluginApi({ 'muster/plugin-api': pathToFileURL(join(ROOT, 'dist/plugin-api.js')).href });
  const registry = new PluginRegistry();
  const modules = [join(ROOT, 'examples/plugins', folder)];
  const options = { builtin: [], modules, settings: {}, directories: [], timeoutSeconds: 30, logger: silent };
  await loadPlugins(registry, options);
  const [id = ''] = registry.targetIds();
  const registered = registry.target(id);
  if (registered === undefined) throw new Error(JSON.stringify(registry.statuses()));
  return registered.item;
}
