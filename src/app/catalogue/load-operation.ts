import { HEAVY_OPERATIONS } from '../../../generated/heavy.ts';
import { actionNamed } from '../extensions/action-operations.ts';
import type { AnyOperation } from '../kernel/operation.ts';
import type { PluginRegistry } from '../kernel/plugin-host/registry.ts';

/** The operation of that name, of the program or of a plugin. A heavy one comes alone, as worker threads want it: all of them are a third of a second's work to load. */
export async function loadOperation(plugins: PluginRegistry, name: string): Promise<AnyOperation | undefined> {
  if (Object.hasOwn(HEAVY_OPERATIONS, name)) return HEAVY_OPERATIONS[name]?.();
  const action = actionNamed(plugins, name);
  if (action !== undefined) return action as AnyOperation;
  const { operationNamed } = await import('./operations.ts');
  return operationNamed(name);
}
