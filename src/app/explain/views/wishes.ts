import { printable } from '../../../kit/words/escape.ts';
import type { ExplainedHost } from '../explained-host.ts';
import { type ExplainView, ruleText, shownValue } from './headline.ts';

/** What the host wants to be in the target, object by object, with the rule where one decided that. Empty when no target was asked about. */
export function explainWishes(
  { target, explanation }: ExplainedHost,
  { colours, width, attributes }: ExplainView,
): string {
  if (target === undefined || attributes.length > 0) return '';
  const lines: string[] = [];
  if (target.problem !== undefined) lines.push(colours.yellow(`  ${printable(target.problem)}`));
  for (const { kind, key, fields, rule } of target.wanted ?? []) {
    const by =
      rule === null
        ? ''
        : colours.dim(
            ` ← ${rule.name === '' ? `rule ${printable(rule.id)}` : `${ruleText(rule)} (${printable(rule.type)})`}`,
          );
    lines.push(`  ${printable(kind)} ${colours.cyan(printable(key))}${by}`);
    for (const [name, value] of Object.entries(fields))
      lines.push(`    ${printable(name)}: ${shownValue(value, width)}`);
  }
  if (target.wanted === null) return '';
  if (lines.length === 0) {
    lines.push(
      explanation.included ? '  The target wants no object for it.' : '  Nothing, because it does not go there.',
    );
  }
  return `\n${colours.bold(`What ${printable(target.account)} is to have of it`)}\n${lines.join('\n')}\n`;
}
