import { getHost } from '../../../../app/hosts/operations/get-host.ts';
import { printable } from '../../../../app/words/escape.ts';
import { fieldLines } from '../../../../app/words/fields.ts';
import { valueText } from '../../../../app/words/json.ts';
import { momentText } from '../../../../app/words/time.ts';
import { indentedTree } from '../../../../app/words/tree.ts';
import type { CommandContext } from '../../context.ts';

export async function showHost(context: CommandContext, hostname: string, options: { json?: true }): Promise<void> {
  const host = await context.value(getHost, { hostname });
  if (options.json) return context.json(host);
  const { colours } = context;
  const labels = Object.entries(host.labels).sort(([a], [b]) => (a < b ? -1 : 1));
  await context.result(`${colours.bold(printable(host.hostname))}\n`);
  await context.result(
    indented(
      fieldLines(
        [
          ['last seen', momentText(host.last_seen)],
          ['last update', momentText(host.last_update)],
        ],
        colours,
      ),
    ),
  );
  await context.result(`\n${colours.bold('Labels')}${labels.length === 0 ? ' none' : ''}\n`);
  const fields = labels.map(([name, value]): [string, string] => [printable(name), valueText(value)]);
  await context.result(indented(fieldLines(fields, colours)));
  for (const [section, content] of Object.entries(host.inventory)) {
    await context.result(`\n${colours.bold(`Inventory ${printable(section)}`)}\n`);
    await context.result(indented(indentedTree(content, colours)));
  }
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
