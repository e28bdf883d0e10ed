import type { Column } from '../../../../app/kernel/print.ts';
import { listCountedRules } from '../../../../app/rules/operations/list-counted-rules.ts';
import { listRules } from '../../../../app/rules/operations/list-rules.ts';
import { listUnworkableRules } from '../../../../app/rules/operations/list-unworkable-rules.ts';
import { memberFlag, memberInteger, memberObjects, memberText } from '../../../../kit/document/members.ts';
import { counted, grouped } from '../../../../kit/words/amounts.ts';
import { printable } from '../../../../kit/words/escape.ts';
import type { RuleDocument } from '../../../../ports/rule.ts';
import type { CommandContext } from '../../context.ts';
import { type ListOptions, listRequestOf } from '../../list-options.ts';
import { wholeText } from '../../output/whole-text.ts';
import { idOf, type RuleError, ruleErrors } from './rule-errors.ts';

/** Types whose rules run over hosts, so that they can fail. */
const EVALUATED = new Set(['custom_attributes', 'automation_rewrite', 'automation_filter', 'automation_customvars']);

/** Rules of these types may be stored as an existing installation had them, with texts that cannot be used here. */
const RUNNING = new Set([...EVALUATED, 'automation_playbook_fire', 'syncer_rule_automation']);

/** Types whose rules may have run elsewhere, so that their matches here count as fired. */
const FIRING = new Set(['automation_playbook_fire']);

interface ShownRule {
  readonly document: RuleDocument;
  readonly error: RuleError | undefined;
}

interface Listed {
  readonly rule_type: string;
  readonly rules: readonly RuleDocument[];
}

interface Shown {
  readonly listed: Listed;
  readonly errors: ReadonlyMap<string, RuleError>;
  readonly unworkable: Awaited<ReturnType<typeof listUnworkableRules.run>>['rules'];
}

export async function showRules(
  context: CommandContext,
  type: string,
  options: ListOptions & { errors: boolean },
): Promise<void> {
  const listed = JSON.parse(await wholeText(await context.stream(listRules, { rule_type: type }))) as Listed;
  const evaluated = options.errors && EVALUATED.has(listed.rule_type);
  const errors = evaluated ? await ruleErrors(context, listed.rule_type, listed.rules) : new Map<string, RuleError>();
  const unworkable = RUNNING.has(listed.rule_type)
    ? (await context.value(listUnworkableRules, { rule_type: type })).rules
    : [];
  const answer = () => ({
    ...listed,
    failures: [...errors.values()],
    ...(unworkable.length > 0 && { cannot_work: unworkable }),
  });
  await context.listing(listRequestOf(options), answer, () => showTable(context, { listed, errors, unworkable }));
}

async function showTable(context: CommandContext, { listed, errors, unworkable }: Shown): Promise<void> {
  const rows = inOrder(listed.rules).map((document) => ({ document, error: errors.get(idOf(document)) }));
  await context.table(rows, COLUMNS, `There are no rules of type ${listed.rule_type}.`);
  for (const { name, errors: count, last_error, last_hostname } of errors.values()) {
    const host = last_hostname === '' ? '' : ` ${counted(count, 'time')}, last on ${last_hostname}`;
    context.note(context.noteColours.yellow(printable(`rule "${name}" failed${host}: ${last_error}`)));
  }
  for (const { id, name, problems } of unworkable) {
    if (errors.has(id)) continue;
    const reasons = problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
    context.note(context.noteColours.yellow(printable(`rule "${name}" cannot work: ${reasons}`)));
  }
  if (FIRING.has(listed.rule_type)) await noteCounted(context, listed.rule_type, listed.rules);
}

async function noteCounted(context: CommandContext, type: string, rules: readonly RuleDocument[]): Promise<void> {
  const counted = new Set((await context.value(listCountedRules, { rule_type: type })).ids);
  for (const rule of rules) {
    if (!counted.has(idOf(rule))) continue;
    const text = `rule "${nameOf(rule)}" comes from another installation: what it matches in its first pass counts as fired, nothing runs for that; "muster playbook fire --dry-run" counts it, "muster playbook fire-existing" lets it fire`;
    context.note(printable(text));
  }
}

/** Returns the rules in the order in which they run: by `sort_field`, then name. */
function inOrder(rules: readonly RuleDocument[]): readonly RuleDocument[] {
  return [...rules].sort((a, b) => position(a) - position(b) || (nameOf(a) < nameOf(b) ? -1 : 1));
}

function position(rule: RuleDocument): number {
  return memberInteger(rule, 'sort_field') ?? 0;
}

function nameOf(rule: RuleDocument): string {
  return memberText(rule, 'name') || memberText(rule, 'hostname');
}

const COLUMNS: readonly Column<ShownRule>[] = [
  { header: 'sort', align: 'right', value: ({ document }) => String(position(document)) },
  { header: 'name', names: true, value: ({ document }) => nameOf(document), shrink: true },
  {
    header: 'enabled',
    value: ({ document }) => (memberFlag(document, 'enabled') ? 'yes' : 'no'),
    paint: (text, { document }, colours) => (memberFlag(document, 'enabled') ? text : colours.dim(text)),
  },
  { header: 'hits when', value: ({ document }) => hitsWhen(document) },
  {
    header: 'outcomes',
    align: 'right',
    value: ({ document }) => String(memberObjects(document, 'outcomes').length || ''),
  },
  { header: 'last match', value: ({ document }) => (memberFlag(document, 'last_match') ? 'yes' : '') },
  {
    header: 'errors',
    align: 'right',
    value: ({ error }) => (error === undefined ? '' : grouped(error.errors)),
    paint: (text, _rule, colours) => colours.red(text),
  },
];

function hitsWhen(rule: RuleDocument): string {
  const count = memberObjects(rule, 'conditions').length;
  const mode = memberText(rule, 'condition_typ');
  if (memberText(rule, 'rule_source') === 'list') return 'in its list';
  if (mode === 'anyway') return 'always';
  if (mode === '') return '';
  return `${mode} of ${count}`;
}
