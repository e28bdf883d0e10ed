import { listRules } from '../../../../app/rules/operations/list-rules.ts';
import { ruleFailures } from '../../../../app/rules/operations/rule-failures.ts';
import { memberReference, memberText } from '../../../../kit/document/members.ts';
import type { RuleDocument } from '../../../../ports/rule.ts';
import type { CommandContext } from '../../context.ts';
import { wholeText } from '../../output/whole-text.ts';

export type RuleError = Awaited<ReturnType<typeof ruleFailures.run>>['failures'][number];

/** Finds the errors of these rules, by rule id: runs them over every host, in the inventory of each project they belong to. */
export async function ruleErrors(
  context: CommandContext,
  type: string,
  rules: readonly RuleDocument[],
): Promise<ReadonlyMap<string, RuleError>> {
  const errors = new Map<string, RuleError>();
  const progress = context.progress('Evaluating hosts');
  try {
    for (const project of await projectsOf(context, rules)) {
      const input = project === null ? {} : { project };
      const { failures } = await context.value(ruleFailures, input, { progress: progress.update });
      for (const failure of failures) if (failure.type === type) errors.set(failure.id, failure);
    }
  } finally {
    progress.clear();
  }
  return errors;
}

/** Names of the projects that the rules name by name or id; `null` stands for no project. */
async function projectsOf(
  context: CommandContext,
  rules: readonly RuleDocument[],
): Promise<readonly (string | null)[]> {
  const references = new Set(rules.map((rule) => memberReference(rule, 'project')));
  const named = [...references].some((reference) => reference !== undefined && reference !== 'Default');
  if (!named) return rules.length === 0 ? [] : [null];
  const answer = await context.stream(listRules, { rule_type: 'automation_projects' });
  const { rules: projects } = JSON.parse(await wholeText(answer)) as { rules: readonly RuleDocument[] };
  const names = projects.flatMap((project) => {
    const name = memberText(project, 'name');
    return references.has(name) || references.has(idOf(project)) ? [name] : [];
  });
  return [null, ...names];
}

export function idOf(rule: RuleDocument): string {
  return memberReference(rule, '_id') ?? '';
}
