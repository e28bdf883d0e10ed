import type { RuleType } from '../../../ports/rule-type.ts';
import { projectReferences } from './project.ts';

/** What types of rules have in common that belong to a project, are known by name and are asked under conditions. */
export const projectRules = {
  aliases: [],
  keyedBy: 'name',
  uniqueNames: true,
  conditional: true,
  exportGroup: 'rules',
  secretMembers: [],
  references: projectReferences,
} as const satisfies Partial<RuleType>;
