import type { Column, Print } from '../../kernel/print.ts';

interface Plugin {
  readonly id: string;
  readonly state: 'running' | 'failed';
  readonly origin: string;
  readonly message: string;
  readonly provides: readonly string[];
}

export function pluginsView({ plugins }: { readonly plugins: readonly Plugin[] }, print: Print): Promise<void> {
  return print.table(plugins, PLUGIN_COLUMNS, 'There are no plugins.');
}

export const PLUGIN_COLUMNS: readonly Column<Plugin>[] = [
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
