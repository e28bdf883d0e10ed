import { useAnswer } from '../calls/use-call.ts';

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
}

/** All projects; empty while they are not known. */
export function useProjects(): readonly Project[] {
  return useAnswer('rules/find-rules', { rule_type: 'automation_projects', limit: 1000 }).data?.rules ?? [];
}
