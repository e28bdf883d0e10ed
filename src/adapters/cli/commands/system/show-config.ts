import { showConfig } from '../../../../app/maintenance/operations/show-config.ts';
import { valueText } from '../../../../app/words/json.ts';
import type { Column } from '../../../../app/words/print.ts';
import type { CommandContext } from '../../context.ts';

type Entry = Awaited<ReturnType<typeof showConfig.run>>['config'][number];

export async function showConfigCommand(context: CommandContext, options: { json?: true }): Promise<void> {
  context.start = 'none';
  const { config } = await context.value(showConfig, {});
  if (options.json) await context.json(config);
  else await context.table(config, COLUMNS, 'There are no keys.');
}

const COLUMNS: readonly Column<Entry>[] = [
  { header: 'key', value: (entry) => entry.key, paint: (text, _entry, colours) => colours.bold(text) },
  { header: 'value', value: (entry) => valueText(entry.value), shrink: true },
  {
    header: 'from',
    value: (entry) => entry.origin,
    paint: (text, entry, colours) => (entry.origin === 'default' ? colours.dim(text) : text),
  },
  { header: 'what for', value: (entry) => entry.description, shrink: true },
];
