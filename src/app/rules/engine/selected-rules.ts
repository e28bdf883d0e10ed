import { memberFlag, memberReference, memberText, ownMember, referenceValue } from '../../../kit/document/members.ts';
import type { RuleDocument } from '../../../ports/rule.ts';
import type { RuleStage, RuleType } from '../../../ports/rule-type.ts';
import type { ProgramInput } from './program-input.ts';

export interface SelectedRules {
  readonly type: RuleType;
  readonly stage: RuleStage;
  /** True for rules of the target that the program is for. */
  readonly isTargets: boolean;
  readonly documents: readonly RuleDocument[];
}

/** The enabled documents that count for the project, by type in the order of idents, those of the target last. */
export function selectRules(input: ProgramInput): readonly SelectedRules[] {
  const belongs = projectFilter(input);
  const sorted = [...input.types].sort((a, b) => (a.id < b.id ? -1 : 1));
  const isTargets = (type: RuleType): boolean => type.evaluation?.target !== undefined;
  const types = [
    ...sorted.filter((type) => !isTargets(type)),
    ...sorted.filter((type) => isTargets(type) && type.evaluation?.target === input.target),
  ];
  return types.flatMap((type): SelectedRules[] => {
    const stage = type.evaluation?.stage;
    if (stage === undefined) return [];
    const documents = (input.rules.get(type.id) ?? []).filter(
      (document) => memberFlag(document, 'enabled') && (stage === 'attributes' || belongs(document)),
    );
    return [{ type, stage, isTargets: isTargets(type), documents }];
  });
}

const DEFAULT_PROJECT = 'Default';

/**
 * Whether a rule is one of the project's. Rules without a project, or with the one named `Default`, belong to no project;
 * exports of existing installations name that one by its id.
 */
export function projectFilter({
  project,
  projects = [],
}: Pick<ProgramInput, 'project' | 'projects'>): (document: RuleDocument) => boolean {
  const defaults = new Set([DEFAULT_PROJECT]);
  for (const candidate of projects) {
    const id = referenceValue(ownMember(candidate, '_id'));
    if (memberText(candidate, 'name') === DEFAULT_PROJECT && id !== undefined) defaults.add(id);
  }
  const own = project?.name === DEFAULT_PROJECT ? null : project;
  return (document) => {
    const reference = memberReference(document, 'project');
    if (reference === undefined || defaults.has(reference)) return own === null;
    return own !== null && (reference === own.name || reference === own.id);
  };
}
