import { printable } from '../../../kit/words/escape.ts';
import { type Field, fieldLines, indentedTree } from '../../../kit/words/fields.ts';
import { valueText } from '../../../kit/words/json.ts';
import { keyOfText } from '../../hosts/decisions/host-keys.ts';
import type { Print } from '../../kernel/print.ts';
import type { AccountTest } from '../account-test.ts';

type Preview = AccountTest['records'][number];
type TestedTarget = NonNullable<AccountTest['target']>;

/** The first records of a source and what they would become, or the first hosts that a target would get. */
export async function accountTestView({ account, records, source, target }: AccountTest, print: Print): Promise<void> {
  if (target !== undefined) await targetView(account, target, print);
  if (target !== undefined && source === undefined) return;
  if (source !== undefined && source.message !== '') print.note(source.message);
  if (records.length === 0) return print.note(`Account ${account} can be read, and its source has no records.`);
  for (const record of records) await print.result(recordText(record, print));
  print.note(`Account ${account} can be read. These are its first records; nothing was stored.`);
}

async function targetView(account: string, { message, hosts }: TestedTarget, print: Print): Promise<void> {
  for (const host of hosts) await print.result(hostText(host, print));
  if (message !== '') print.note(message);
  print.note(
    hosts.length === 0
      ? `Account ${account} is a target, and there is no host to export.`
      : `Account ${account} is a target. These are the first hosts that it would get; nothing was written.`,
  );
}

function hostText({ hostname, variables, expressions, groups }: TestedTarget['hosts'][number], { colours }: Print) {
  const marked =
    expressions === undefined ? '' : `  ${colours.bold('expressions')}\n${indentedTree(expressions, colours, '    ')}`;
  const inGroups = groups.length === 0 ? '' : `  ${colours.bold('groups')}  ${groups.map(printable).join(', ')}\n`;
  return `${colours.bold(printable(hostname))}\n${indentedTree(variables, colours, '  ')}${marked}${inGroups}\n`;
}

function recordText(record: Preview, { colours }: Print): string {
  const position = colours.dim(printable(record.position));
  if (record.hostname === undefined || record.problem !== undefined) {
    return `${position}  ${colours.yellow(`skipped: ${printable(record.problem ?? 'it has no name')}`)}  ${printable(record.name)}\n\n`;
  }
  const renamed = record.name === record.hostname ? '' : colours.dim(`  (${printable(record.name)} in the source)`);
  const labels = Object.entries(record.labels ?? {}).map(
    ([key, value]): Field => [`  ${printable(key)}`, valueText(value)],
  );
  const sections = Object.entries(record.inventory ?? {}).map(
    ([section, content]) =>
      `  ${colours.bold(`inventory ${printable(section)}`)}\n${indentedTree(content, colours, '    ')}`,
  );
  const relations = (record.relations ?? []).map(
    ({ type, target }): Field => [`  ${printable(type)}`, printable(target)],
  );
  const keys = (record.keys ?? []).map((key): Field => {
    const { name, value } = keyOfText(key);
    return [`  ${colours.dim('key')} ${printable(name)}`, printable(value)];
  });
  const fields = fieldLines([...labels, ...relations, ...keys], colours);
  return `${position}  ${colours.bold(printable(record.hostname))}${renamed}\n${fields}${sections.join('')}\n`;
}
