import type { RuleType } from '../../../ports/rule-type.ts';
import { projectReferences } from './project.ts';

/** Members shared by rule types that belong to a project, are identified by name and have conditions. */
export const projectRules = {
  aliases: [],
  keyedBy: 'name',
  uniqueNames: true,
  conditional: true,
  exportGroup: 'rules',
  secretMembers: [],
  references: projectReferences,
} as const satisfies Partial<RuleType>;
