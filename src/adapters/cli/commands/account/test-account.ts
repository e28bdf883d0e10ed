import { testAccount } from '../../../../app/accounts/operations/test-account.ts';
import { printable } from '../../../../app/words/escape.ts';
import { fieldLines } from '../../../../app/words/fields.ts';
import { valueText } from '../../../../app/words/json.ts';
import { indentedTree } from '../../../../app/words/tree.ts';
import type { CommandContext } from '../../context.ts';

type Answer = Awaited<ReturnType<typeof testAccount.run>>;
type Preview = Answer['records'][number];
type TargetAnswer = NonNullable<Answer['target']>;

export async function testAccountCommand(
  context: CommandContext,
  name: string,
  options: { json?: true },
): Promise<void> {
  const answer = await context.value(testAccount, { name });
  if (options.json) return context.json(answer);
  if (answer.target !== undefined) return writeTarget(context, name, answer.target);
  if (answer.records.length === 0) return context.note(`Account ${name} can be read, and its source has no records.`);
  for (const record of answer.records) await context.result(recordText(record, context));
  context.note(`Account ${name} can be read. These are its first records; nothing was stored.`);
}

async function writeTarget(context: CommandContext, name: string, { message, hosts }: TargetAnswer): Promise<void> {
  for (const host of hosts) await context.result(hostText(host, context));
  if (message !== '') context.note(message);
  context.note(
    hosts.length === 0
      ? `Account ${name} is a target, and there is no host to export.`
      : `Account ${name} is a target. These are the first hosts that it would get; nothing was written.`,
  );
}

function hostText(
  { hostname, variables, expressions, groups }: TargetAnswer['hosts'][number],
  context: CommandContext,
) {
  const { colours } = context;
  const marked =
    expressions === undefined ? '' : `  ${colours.bold('expressions')}\n${indentedTree(expressions, colours, '    ')}`;
  const inGroups = groups.length === 0 ? '' : `  ${colours.bold('groups')}  ${groups.map(printable).join(', ')}\n`;
  return `${colours.bold(printable(hostname))}\n${indentedTree(variables, colours, '  ')}${marked}${inGroups}\n`;
}

function recordText(record: Preview, { colours }: CommandContext): string {
  const position = colours.dim(printable(record.position));
  if (record.hostname === undefined || record.problem !== undefined) {
    return `${position}  ${colours.yellow(`skipped: ${printable(record.problem ?? 'it has no name')}`)}  ${printable(record.name)}\n\n`;
  }
  const renamed = record.name === record.hostname ? '' : colours.dim(`  (${printable(record.name)} in the source)`);
  const labels = Object.entries(record.labels ?? {}).map(([key, value]): [string, string] => [
    `  ${printable(key)}`,
    valueText(value),
  ]);
  const sections = Object.entries(record.inventory ?? {}).map(
    ([section, content]) =>
      `  ${colours.bold(`inventory ${printable(section)}`)}\n${indentedTree(content, colours, '    ')}`,
  );
  return `${position}  ${colours.bold(printable(record.hostname))}${renamed}\n${fieldLines(labels, colours)}${sections.join('')}\n`;
}
