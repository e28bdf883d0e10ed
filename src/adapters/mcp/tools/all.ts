import { TOOL_OPERATIONS } from '../../../app/catalogue/tools.generated.ts';
import { type Tool, toolOf } from '../tool.ts';
import { hostToolViews } from './hosts.ts';
import { ruleToolViews } from './rules.ts';
import { syncerToolViews } from './syncer.ts';

/** Where a tool is not simply its operation. */
const VIEWS = { ...hostToolViews, ...ruleToolViews, ...syncerToolViews };

/** Every tool there is, by name: the operations that say so. */
export const TOOLS: readonly Tool[] = TOOL_OPERATIONS.flatMap((operation) => {
  const { tool } = operation.at;
  return tool === undefined ? [] : [toolOf(operation, tool, VIEWS[operation.name])];
}).sort((a, b) => (a.name < b.name ? -1 : 1));
