import { worded } from '../../kit/worded.ts';
import { AppError, type RuleRecord, type RuleType } from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { RULE_STAGES } from '../kernel/plugin-host/rule-stages.ts';
import { compareEnvelopes, type RuleEnvelope, readEnvelope } from './engine/envelope.ts';
import { projectFilter } from './engine/selected-rules.ts';
import { isVisible } from './require-rule.ts';
import { PROJECTS } from './rule-generation.ts';
import type { RuleServices } from './services.ts';

/** It stands for no project: its rules make the inventory `automation`. */
const DEFAULT_PROJECT = 'Default';

export interface ProjectRule {
  readonly type: RuleType;
  readonly record: RuleRecord;
  readonly envelope: RuleEnvelope;
}

export interface ProjectRules {
  readonly record: RuleRecord;
  /** As evaluators call it: `null` for the one that stands for none. */
  readonly name: string | null;
  /** In the order in which a host passes them, disabled ones too. */
  readonly rules: readonly ProjectRule[];
}

/** A project, by name or id, with its rules of all types that the caller may see. Throws `not_found`. */
export async function rulesOfProject(
  { storage, plugins }: RuleServices,
  caller: Caller,
  project: string,
): Promise<ProjectRules> {
  const projects = await storage.rules.list(PROJECTS);
  const record =
    projects.find(({ name }) => name === project) ?? projects.find(({ id }) => id === project.toLowerCase());
  if (record === undefined) {
    throw new AppError(
      'not_found',
      worded`there is no project ${{ project }}; projects are documents of type ${{ projects: PROJECTS }}`,
    );
  }
  const documents = projects.map(({ document }) => document.value);
  const belongs = projectFilter({ project: { id: record.id, name: record.name }, projects: documents });
  const rules: ProjectRule[] = [];
  for (const type of projectTypes(plugins.ruleTypes())) {
    const records = (await storage.rules.list(type.id)).filter(
      (rule) => isVisible(type, rule, caller) && belongs(rule.document.value),
    );
    rules.push(
      ...records
        .map((rule) => ({ type, record: rule, envelope: readEnvelope(rule.document.value, type) }))
        .sort((a, b) => compareEnvelopes(a.envelope, b.envelope)),
    );
  }
  return { record, name: record.name === DEFAULT_PROJECT ? null : record.name, rules };
}

/** Types whose documents name a project, in the order in which hosts pass them: those of targets behind the others of their stage. */
function projectTypes(types: readonly RuleType[]): readonly RuleType[] {
  const stageOf = ({ evaluation }: RuleType): number =>
    evaluation === undefined ? RULE_STAGES.length : RULE_STAGES.indexOf(evaluation.stage);
  const isTargets = ({ evaluation }: RuleType): number => (evaluation?.target === undefined ? 0 : 1);
  return types
    .filter(namesProject)
    .toSorted((a, b) => stageOf(a) - stageOf(b) || isTargets(a) - isTargets(b) || (a.id < b.id ? -1 : 1));
}

function namesProject({ schema, kept }: RuleType): boolean {
  const members = schema.properties;
  return kept === undefined && typeof members === 'object' && members !== null && Object.hasOwn(members, 'project');
}
