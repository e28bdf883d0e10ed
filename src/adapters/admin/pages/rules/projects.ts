import { useAnswer } from '../calls/use-call.ts';

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
}

/** All projects; empty while they are not known. */
export function useProjects(): readonly Project[] {
  return useKnownProjects() ?? [];
}

/** The same, `undefined` while they are not known: before, a reference does not tell which project it means. */
export function useKnownProjects(): readonly Project[] | undefined {
  return useAnswer('rules/find-rules', { rule_type: 'automation_projects', limit: 1000 }).data?.rules;
}
