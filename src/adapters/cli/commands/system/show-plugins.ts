import { listPlugins } from '../../../../app/maintenance/operations/list-plugins.ts';
import type { Column } from '../../../../app/words/print.ts';
import type { CommandContext } from '../../context.ts';

type Plugin = Awaited<ReturnType<typeof listPlugins.run>>['plugins'][number];

export async function showPlugins(context: CommandContext, options: { json?: true }): Promise<void> {
  const { plugins } = await context.value(listPlugins, {});
  if (options.json) await context.json(plugins);
  else await context.table(plugins, COLUMNS, 'There are no plugins.');
}

const COLUMNS: readonly Column<Plugin>[] = [
  { header: 'plugin', value: (plugin) => plugin.id, paint: (text, _plugin, colours) => colours.bold(text) },
  {
    header: 'state',
    value: (plugin) => plugin.state,
    paint: (text, plugin, colours) => (plugin.state === 'failed' ? colours.red(text) : colours.green(text)),
  },
  { header: 'from', value: (plugin) => plugin.origin },
  {
    header: 'provides',
    value: (plugin) => (plugin.state === 'failed' ? plugin.message : plugin.provides.join(', ')),
    shrink: true,
  },
];
