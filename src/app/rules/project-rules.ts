import { worded } from '../../kit/worded.ts';
import { AppError, type RuleRecord } from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { projectFilter } from './engine/selected-rules.ts';
import { inOrder, type PlacedRule, rulesInOrder } from './pipeline.ts';
import { namesProject, PROJECTS } from './rule-generation.ts';
import type { RuleServices } from './services.ts';

/** It stands for no project: its rules make the inventory `automation`. */
const DEFAULT_PROJECT = 'Default';

export interface ProjectRules {
  readonly record: RuleRecord;
  /** As evaluators call it: `null` for the one that stands for none. */
  readonly name: string | null;
  /** In the order in which a host passes them, disabled ones too. */
  readonly rules: readonly PlacedRule[];
}

/** A project, by name or id, with its rules of all types that the caller may see. Throws `not_found`. */
export async function rulesOfProject(services: RuleServices, caller: Caller, project: string): Promise<ProjectRules> {
  const projects = await services.storage.rules.list(PROJECTS);
  const record =
    projects.find(({ name }) => name === project) ?? projects.find(({ id }) => id === project.toLowerCase());
  if (record === undefined) throw unknownProject(project);
  const documents = projects.map(({ document }) => document.value);
  const belongs = projectFilter({ project: { id: record.id, name: record.name }, projects: documents });
  const rules: PlacedRule[] = [];
  for (const type of inOrder(services.plugins.ruleTypes().filter(namesProject))) {
    rules.push(
      ...(await rulesInOrder(services, caller, type)).filter(({ record: rule }) => belongs(rule.document.value)),
    );
  }
  return { record, name: record.name === DEFAULT_PROJECT ? null : record.name, rules };
}

export function unknownProject(project: string): AppError {
  return new AppError(
    'not_found',
    worded`there is no project ${{ project }}; projects are documents of type ${{ projects: PROJECTS }}`,
  );
}
