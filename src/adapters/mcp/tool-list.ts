import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { Tool } from './tool.ts';

const lists = new WeakMap<readonly Tool[], readonly ListedTool[]>();

/** The tools as clients see them. */
export function toolList(tools: readonly Tool[]): readonly ListedTool[] {
  const known = lists.get(tools);
  if (known !== undefined) return known;
  const list = tools.map(({ name, title, description, inputSchema, outputSchema, hints }) => ({
    name,
    title,
    description,
    inputSchema,
    outputSchema,
    annotations: { title, ...hints },
  }));
  lists.set(tools, list);
  return list;
}
