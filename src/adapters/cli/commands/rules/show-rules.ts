import { listRuleTypes } from '../../../../app/operations/rules/list-rule-types.ts';
import { listRules } from '../../../../app/operations/rules/list-rules.ts';
import type { RuleDocument } from '../../../../ports/rule.ts';
import { memberFlag, memberInteger, memberObjects, memberText } from '../../../../ports/rule-members.ts';
import type { CommandContext } from '../../context.ts';
import { printable } from '../../output/escape.ts';
import type { Column } from '../../output/table.ts';
import { wholeText } from '../../output/whole-text.ts';

export async function showTypes(context: CommandContext, options: { json?: true }): Promise<void> {
  const answer = await context.value(listRuleTypes, {});
  if (options.json) await context.json(answer);
  else await context.result(answer.rule_types.map((type) => `${printable(type)}\n`).join(''));
}

export async function showRules(context: CommandContext, type: string, options: { json?: true }): Promise<void> {
  const answer = await context.stream(listRules, { rule_type: type });
  if (options.json) return context.resultStream(answer);
  const { rules } = JSON.parse(await wholeText(answer)) as { rules: readonly RuleDocument[] };
  await context.table(inOrder(rules), COLUMNS, `There are no rules of type ${type}.`);
}

/** As they run: by `sort_field`, then name. */
function inOrder(rules: readonly RuleDocument[]): readonly RuleDocument[] {
  return [...rules].sort((a, b) => position(a) - position(b) || (nameOf(a) < nameOf(b) ? -1 : 1));
}

function position(rule: RuleDocument): number {
  return memberInteger(rule, 'sort_field') ?? 0;
}

function nameOf(rule: RuleDocument): string {
  return memberText(rule, 'name') || memberText(rule, 'hostname');
}

const COLUMNS: readonly Column<RuleDocument>[] = [
  { header: 'sort', align: 'right', value: (rule) => String(position(rule)) },
  { header: 'name', value: nameOf, shrink: true },
  {
    header: 'enabled',
    value: (rule) => (memberFlag(rule, 'enabled') ? 'yes' : 'no'),
    paint: (text, rule, colours) => (memberFlag(rule, 'enabled') ? text : colours.dim(text)),
  },
  { header: 'hits when', value: hitsWhen },
  { header: 'outcomes', align: 'right', value: (rule) => String(memberObjects(rule, 'outcomes').length || '') },
  { header: 'last match', value: (rule) => (memberFlag(rule, 'last_match') ? 'yes' : '') },
];

function hitsWhen(rule: RuleDocument): string {
  const count = memberObjects(rule, 'conditions').length;
  const mode = memberText(rule, 'condition_typ');
  if (mode === 'anyway') return 'always';
  if (mode === '') return '';
  return `${mode} of ${count}`;
}
