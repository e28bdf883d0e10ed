import { TOOL_OPERATIONS } from '../../../../generated/tools.ts';
import { actionOperations } from '../../../app/extensions/action-operations.ts';
import type { AnyOperation } from '../../../app/kernel/operation.ts';
import type { PluginRegistry } from '../../../app/kernel/plugin-host/registry.ts';
import { type Tool, toolOf } from '../tool.ts';
import { hostToolViews } from './hosts.ts';
import { ruleToolViews } from './rules.ts';
import { syncerToolViews } from './syncer.ts';

/** Tools that differ from their operation. */
const VIEWS = { ...hostToolViews, ...ruleToolViews, ...syncerToolViews };

/** Every tool of the program, by name: operations that declare one. */
export const TOOLS: readonly Tool[] = toolsOf(TOOL_OPERATIONS);

const withActions = new WeakMap<PluginRegistry, readonly Tool[]>();

/** Returns the tools of the program, and the actions of plugins. */
export function allTools(plugins: PluginRegistry): readonly Tool[] {
  const known = withActions.get(plugins);
  if (known !== undefined) return known;
  const actions = toolsOf(actionOperations(plugins) as readonly AnyOperation[]);
  const all = actions.length === 0 ? TOOLS : [...TOOLS, ...actions].sort(byName);
  withActions.set(plugins, all);
  return all;
}

function toolsOf(operations: readonly AnyOperation[]): readonly Tool[] {
  return operations
    .flatMap((operation) => {
      const { tool } = operation.at;
      return tool === undefined ? [] : [toolOf(operation, tool, VIEWS[operation.name])];
    })
    .sort(byName);
}

function byName(a: Tool, b: Tool): number {
  return a.name < b.name ? -1 : 1;
}
