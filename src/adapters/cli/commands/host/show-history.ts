import { hostHistory } from '../../../../app/operations/hosts/host-history.ts';
import type { CommandContext } from '../../context.ts';
import { printable } from '../../output/escape.ts';
import { valueText } from '../../output/json.ts';
import { momentText } from '../../output/time.ts';

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
    const lines = change.changes.map((value) => {
      if (value.before === undefined) return colours.green(`  + ${printable(value.path)} = ${shown(value.after)}`);
      if (value.after === undefined) return colours.red(`  - ${printable(value.path)} = ${shown(value.before)}`);
      return `  ~ ${printable(value.path)} ${colours.red(shown(value.before))} → ${colours.green(shown(value.after))}`;
    });
    await context.result(`${[head, ...lines].join('\n')}\n`);
  }
}

function shown(value: unknown): string {
  return printable(valueText(value));
}
