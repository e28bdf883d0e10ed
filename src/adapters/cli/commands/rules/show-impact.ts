import { rulesImpact } from '../../../../app/rules/operations/rules-impact.ts';
import { counted } from '../../../../app/words/amounts.ts';
import { changeLine } from '../../../../app/words/changes.ts';
import { printable } from '../../../../app/words/escape.ts';
import type { CommandContext } from '../../context.ts';
import { readInput } from '../../input-text.ts';
import { progressDisplay } from '../../output/progress.ts';
import { readRulesContent } from '../../rules-content.ts';

export interface ImpactOptions {
  readonly json?: true;
  readonly type?: string;
  readonly project?: string;
  readonly limit: number;
}

type HostImpact = Awaited<ReturnType<typeof rulesImpact.run>>['details'][number];

export async function showImpact(context: CommandContext, file: string, options: ImpactOptions): Promise<void> {
  const content = readRulesContent(await readInput(file, context.terminal), options.type);
  const progress = progressDisplay(context.terminal.stderr, 'Evaluating hosts');
  const project = options.project === undefined ? {} : { project: options.project };
  const answer = await context
    .value(rulesImpact, { ...content, ...project, limit: options.limit }, { progress: progress.update })
    .finally(progress.clear);
  if (options.json) return context.json(answer);
  for (const host of answer.details) await context.result(impactText(host, context));
  if (answer.changed > answer.details.length)
    context.note(`… and ${counted(answer.changed - answer.details.length, 'more host')}`);
  context.note(
    `${answer.changed.toLocaleString('en-US')} of ${counted(answer.hosts, 'host')} would change. Nothing was written.`,
  );
}

function impactText({ hostname, change, changes }: HostImpact, { colours }: CommandContext): string {
  const name = colours.bold(printable(hostname));
  if (change === 'appears') return `${colours.green('+')} ${name} would appear in the inventory\n`;
  if (change === 'disappears') return `${colours.red('-')} ${name} would leave the inventory\n`;
  return `${[`~ ${name}`, ...changes.map((entry) => changeLine(entry, colours))].join('\n')}\n`;
}
