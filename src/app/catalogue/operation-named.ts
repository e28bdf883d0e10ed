import { actionNamed, actionOperations } from '../extensions/action-operations.ts';
import type { AnyOperation } from '../kernel/operation.ts';
import type { PluginRegistry } from '../kernel/plugin-host/registry.ts';
import { OPERATIONS, operationNamed } from './operations.ts';

/** The operation of that name, of the program or of a plugin, where the name comes from elsewhere and may be wrong. */
export function anyOperationNamed(plugins: PluginRegistry, name: string): AnyOperation | undefined {
  return (actionNamed(plugins, name) as AnyOperation | undefined) ?? operationNamed(name);
}

/** Those of the program, and the actions of plugins. */
export function allOperations(plugins: PluginRegistry): readonly AnyOperation[] {
  return [...OPERATIONS, ...(actionOperations(plugins) as readonly AnyOperation[])];
}
