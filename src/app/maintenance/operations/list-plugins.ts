import * as z from 'zod';
import { columnNames } from '../../kernel/listing.ts';
import { defineOperation } from '../services.ts';
import { PLUGIN_COLUMNS, pluginsView } from '../views/plugins.ts';

export const listPlugins = defineOperation({
  name: 'system/list-plugins',
  title: 'Plugins',
  description: 'All plugins with what they provide; broken ones with the reason.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'plugins',
      storage: 'optional',
      description: 'List all plugins with what they provide. A broken one is named with the reason.',
      columns: columnNames(PLUGIN_COLUMNS),
      json: 'answer a JSON array of plugins',
      answered: ({ plugins }) => plugins,
      examples: ['muster plugins', 'SERVICE_PLUGINS=./plugins/racks muster plugins'],
      view: pluginsView,
    },
    page: true,
  },
  input: z.object({}),
  output: z.object({
    plugins: z.array(
      z.object({
        id: z.string(),
        origin: z.string(),
        version: z.string().describe('As the plugin states it; empty when it states none'),
        description: z.string(),
        state: z.enum(['running', 'failed']),
        message: z.string(),
        provides: z.array(z.string()),
      }),
    ),
  }),
  async run(_input, { services }) {
    return {
      plugins: services.plugins.statuses().map((status) => ({ ...status, provides: [...status.provides] })),
    };
  },
});
