import { printable } from '../../../kit/words/escape.ts';
import type { Colours } from '../../kernel/print.ts';
import type { ConditionExplanation, RuleChange, RuleExplanation } from '../../rules/engine/explanation.ts';
import { decisiveOf, OUTCOME_WORDS, reasonOf, STAGE_TITLES } from '../../rules/explanation/words.ts';
import type { ExplainedHost } from '../explained-host.ts';
import { type ExplainView, shownValue } from './headline.ts';

/** Every rule in the order in which it ran, whether it hit and what decided that, with both sides of the comparison. */
export function explainRules({ explanation }: ExplainedHost, view: ExplainView): string {
  const rules = explanation.rules.filter((rule) => concerns(rule, view.attributes));
  if (rules.length === 0) return view.attributes.length > 0 ? '' : '\nThere are no rules for this inventory.\n';
  let type = '';
  let text = `\n${view.colours.bold(view.attributes.length > 0 ? 'Rules that set it' : 'Rules, in the order in which they run')}\n`;
  for (const rule of rules) {
    if (rule.type !== type) text += `  ${rule.type}${view.colours.dim(`: ${STAGE_TITLES[rule.stage]}`)}\n`;
    type = rule.type;
    text += ruleLines(rule, view);
  }
  return text;
}

function concerns(rule: RuleExplanation, attributes: readonly string[]): boolean {
  return attributes.length === 0 || rule.changes.some(({ name }) => attributes.includes(name));
}

function ruleLines(rule: RuleExplanation, view: ExplainView): string {
  const { colours } = view;
  const lines = [
    `    ${outcomeText(rule, colours)}  ${rule.outcome === 'hit' ? colours.bold(printable(rule.name)) : printable(rule.name)}${rule.outcome === 'broken' ? '' : colours.dim(`: ${reasonOf(rule)}`)}`,
  ];
  for (const condition of decisiveOf(rule)) lines.push(`            ${conditionText(condition, view)}`);
  for (const change of rule.changes) lines.push(`            ${changeText(change, view)}`);
  for (const error of rule.errors) lines.push(`            ${colours.red(`error: ${printable(error)}`)}`);
  if (rule.readsAccounts) {
    lines.push(
      colours.dim(
        '            it reads fields of accounts: secret ones are ******** here, also in comparisons, so the real result may differ',
      ),
    );
  }
  if (rule.endedRun) lines.push(colours.dim('            it is a last match: no later rule of this type runs'));
  return `${lines.join('\n')}\n`;
}

function outcomeText({ outcome }: RuleExplanation, colours: Colours): string {
  const text = OUTCOME_WORDS[outcome].padEnd(OUTCOME_WIDTH);
  if (outcome === 'hit') return colours.green(text);
  return outcome === 'broken' ? colours.red(text) : colours.dim(text);
}

const OUTCOME_WIDTH = Math.max(...Object.values(OUTCOME_WORDS).map(({ length }) => length));

function conditionText(condition: ConditionExplanation, { colours, width }: ExplainView): string {
  const mark = condition.holds ? colours.green('✓') : colours.red('✗');
  const text = printable(condition.text);
  const { needle } = condition;
  const rendered =
    needle === undefined || condition.text.includes(JSON.stringify(needle))
      ? ''
      : `, which is ${shownValue(needle, width)} here`;
  return `${mark} ${text}${rendered}${colours.dim(` — ${sideText(condition, width)}`)}`;
}

function sideText({ matched, looked }: ConditionExplanation, width: number | undefined): string {
  const entries = matched === undefined ? looked : [matched];
  if (entries.length === 0) return 'the host has no such attribute';
  return entries
    .map(({ name, value, obstacle }) => {
      const text = `${printable(name)} is ${shownValue(value, width)}`;
      return obstacle === undefined ? text : `${text}, which ${obstacle}: the comparison cannot be made`;
    })
    .join(', ');
}

function changeText({ what, name, before, after }: RuleChange, { colours, width }: ExplainView): string {
  const shown = printable(name);
  if (what === 'ignored') return colours.yellow('→ takes the host out of this inventory or export');
  if (what === 'filter') return `→ ${shown}`;
  if (what === 'outcome') return `→ decides ${shownValue(after, width)}`;
  if (what === 'playbook') return `→ wants ${colours.cyan(shown)} to be run`;
  if (after === undefined) return `→ removes ${what} ${shown}, which was ${shownValue(before, width)}`;
  const was = before === undefined ? '' : colours.dim(`, which was ${shownValue(before, width)}`);
  return `→ sets ${what} ${colours.cyan(shown)} to ${shownValue(after, width)}${was}`;
}
