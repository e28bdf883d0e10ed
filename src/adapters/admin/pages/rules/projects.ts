import type { JsonObject } from '../../../../ports/index.ts';
import { useAnswer } from '../calls/use-call.ts';
import { referenceOf, textOf } from '../forms/document.ts';
import { hasProject, type RuleTypeInfo } from './rule-type.ts';

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
}

/** Returns all projects; empty while they are unknown. */
export function useProjects(): readonly Project[] {
  return useKnownProjects() ?? [];
}

/** Returns the same, or `undefined` while they are unknown: until then a reference cannot be matched to a project. */
export function useKnownProjects(): readonly Project[] | undefined {
  return useAnswer('rules/find-rules', { rule_type: 'automation_projects', limit: 1000 }).data?.rules;
}

/** The inventory that a rule is for: that of its project, or of the project that it is. */
export function providerOf(type: RuleTypeInfo, document: JsonObject, projects: readonly Project[] | undefined): string {
  if (type.id === 'automation_projects') return textOf(document.name);
  const reference = hasProject(type) ? referenceOf(document.project) : '';
  return projects?.find(({ id, name }) => id === reference || name === reference)?.name ?? 'automation';
}
