import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { TOOLS } from './tools/all.ts';

let list: readonly ListedTool[] | undefined;

/** The tools as clients see them. */
export function toolList(): readonly ListedTool[] {
  list ??= TOOLS.map(({ name, title, description, inputSchema, outputSchema, hints }) => ({
    name,
    title,
    description,
    inputSchema,
    outputSchema,
    annotations: { title, ...hints },
  }));
  return list;
}
