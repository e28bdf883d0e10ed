import { ruleHistory } from '../../../../app/rules/operations/rule-history.ts';
import { changeLine } from '../../../../app/words/changes.ts';
import { printable } from '../../../../app/words/escape.ts';
import { momentText } from '../../../../app/words/time.ts';
import type { CommandContext } from '../../context.ts';

export async function showRuleHistory(
  context: CommandContext,
  type: string,
  rule: string,
  options: { limit: number; json?: true },
): Promise<void> {
  const answer = await context.value(ruleHistory, { rule_type: type, rule, limit: options.limit });
  if (options.json) return context.json(answer);
  const { colours } = context;
  for (const version of answer.versions) {
    const head = `${colours.bold(`version ${version.version}`)}  ${momentText(version.time)}  ${version.change} by ${printable(version.by)}`;
    // The first version would repeat the whole document.
    const changes = version.change === 'created' ? [] : version.changes.map((change) => changeLine(change, colours));
    await context.result(`${[head, ...changes].join('\n')}\n`);
  }
}
