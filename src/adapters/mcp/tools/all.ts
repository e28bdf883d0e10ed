import type { Tool } from '../tool.ts';
import { accountTools } from './accounts.ts';
import { hostTools } from './hosts.ts';
import { ruleTools } from './rules.ts';
import { syncerTools } from './syncer.ts';

/** Every tool there is, in the order of the tool list. */
export const TOOLS: readonly Tool[] = [...hostTools, ...accountTools, ...ruleTools, ...syncerTools];
