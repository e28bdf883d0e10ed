import { printable } from '../../../kit/words/escape.ts';
import { type Field, fieldLines, indentedTree } from '../../../kit/words/fields.ts';
import { valueText } from '../../../kit/words/json.ts';
import { momentText } from '../../../kit/words/moment.ts';
import type { Print } from '../../kernel/print.ts';
import type { HostAnswer } from '../host-schemas.ts';
import { keyFields } from './keyed-hosts.ts';

/** A host with its times, labels and inventory sections. */
export async function hostView(host: HostAnswer, print: Print): Promise<void> {
  const { colours } = print;
  const labels = Object.entries(host.labels).sort(([a], [b]) => (a < b ? -1 : 1));
  await print.result(`${colours.bold(printable(host.hostname))}\n`);
  const times: Field[] = [
    ['last seen', momentText(host.last_seen)],
    ['last update', momentText(host.last_update)],
  ];
  await print.result(indented(fieldLines(times, colours)));
  const keys = keyFields(host.keys ?? {});
  if (keys.length > 0) {
    await print.result(`\n${colours.bold('Keys')}\n`);
    await print.result(indented(fieldLines(keys, colours)));
  }
  await print.result(`\n${colours.bold('Labels')}${labels.length === 0 ? ' none' : ''}\n`);
  const fields = labels.map(([name, value]): Field => [printable(name), valueText(value)]);
  await print.result(indented(fieldLines(fields, colours)));
  for (const [section, content] of Object.entries(host.inventory)) {
    await print.result(`\n${colours.bold(`Inventory ${printable(section)}`)}\n`);
    await print.result(indented(indentedTree(content, colours)));
  }
  print.note(
    `Its account, its groups and where each value comes from: muster host explain ${printable(host.hostname)}`,
  );
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
