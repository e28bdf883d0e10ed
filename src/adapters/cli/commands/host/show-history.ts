import { hostHistory } from '../../../../app/operations/hosts/host-history.ts';
import { changeLine } from '../../../../app/words/changes.ts';
import { printable } from '../../../../app/words/escape.ts';
import { momentText } from '../../../../app/words/time.ts';
import type { CommandContext } from '../../context.ts';

export async function showHistory(
  context: CommandContext,
  hostname: string,
  options: { limit: number; json?: true },
): Promise<void> {
  const answer = await context.value(hostHistory, { hostname, limit: options.limit });
  if (options.json) return context.json(answer);
  if (answer.changes.length === 0) return context.note(`Nothing is recorded about ${hostname}.`);
  const { colours } = context;
  for (const change of answer.changes) {
    const head = `${momentText(change.time)}  ${colours.bold(change.kind)}  by ${printable(change.by)}`;
    const lines = change.changes.map((value) => changeLine(value, colours));
    await context.result(`${[head, ...lines].join('\n')}\n`);
  }
}
