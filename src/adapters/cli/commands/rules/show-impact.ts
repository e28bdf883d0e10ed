import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { rulesImpact } from '../../../../app/preview/operations/rules-impact.ts';
import { counted, grouped } from '../../../../kit/words/amounts.ts';
import { changeLine } from '../../../../kit/words/changes.ts';
import { printable } from '../../../../kit/words/escape.ts';
import type { JsonObject } from '../../../../ports/json.ts';
import type { CommandContext } from '../../context.ts';
import { readInput } from '../../input-text.ts';
import { readRulesContent } from '../../rules-content.ts';

interface ImpactOptions {
  readonly json?: true;
  readonly type?: string;
  readonly project?: string;
  readonly target?: string;
  readonly limit: number;
}

type HostImpact = Awaited<ReturnType<typeof rulesImpact.run>>['details'][number];

export async function showImpact(context: CommandContext, file: string, options: ImpactOptions): Promise<void> {
  const place = resolve(context.terminal.workingDirectory, file);
  const isFolder = await stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const content = isFolder
    ? { rules: await rulesOfFolder(file, context) }
    : readRulesContent(await readInput(file, context.terminal), { file, type: options.type });
  const { project, target, limit } = options;
  const where = { ...(project !== undefined && { project }), ...(target !== undefined && { target }) };
  const answer = await context.longValue('Evaluating hosts', rulesImpact, { ...content, ...where, limit });
  if (options.json) return context.json(answer);
  for (const host of answer.details) await context.result(impactText(host, answer.target, context));
  if (answer.changed > answer.details.length)
    context.note(`… and ${counted(answer.changed - answer.details.length, 'more host')}`);
  const there = answer.target === undefined ? '' : ` in exports to ${printable(target ?? answer.target)}`;
  context.note(
    `${grouped(answer.changed)} of ${counted(answer.hosts, 'host')} would change${there}. Nothing was written.`,
  );
}

/** Its documents by type, as an export has them. */
async function rulesOfFolder(folder: string, { terminal }: CommandContext): Promise<Record<string, JsonObject[]>> {
  const { readFolder } = await import('./folder/read-folder.ts');
  const rules: Record<string, JsonObject[]> = {};
  for (const { rule_type: type, document } of await readFolder(folder, terminal)) {
    rules[type] ??= [];
    rules[type].push(document);
  }
  return rules;
}

function impactText(
  { hostname, change, changes }: HostImpact,
  target: string | undefined,
  { colours }: CommandContext,
): string {
  const name = colours.bold(printable(hostname));
  const place = target === undefined ? 'the inventory' : `exports to ${printable(target)}`;
  if (change === 'appears') return `${colours.green('+')} ${name} would appear in ${place}\n`;
  if (change === 'disappears') return `${colours.red('-')} ${name} would leave ${place}\n`;
  return `${[`~ ${name}`, ...changes.map((entry) => changeLine(entry, colours))].join('\n')}\n`;
}
