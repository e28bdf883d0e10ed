import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `plugins …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description: 'List all plugins with what they provide. A broken one is named with the reason.',
    words: 'plugins',
    storage: 'optional',
    columns: ['plugin', 'state', 'from', 'provides'],
    json: 'answer a JSON array of plugins',
    examples: ['muster plugins', 'SERVICE_PLUGINS=./plugins/racks muster plugins'],
    async operation() {
      return (await import('./../../maintenance/operations/list-plugins.ts')).listPlugins;
    },
  },
];
