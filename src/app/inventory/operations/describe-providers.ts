import * as z from 'zod';
import { memberText } from '../../../ports/rule-members.ts';
import { defineOperation } from '../../kernel/operation.ts';

export const describeProviders = defineOperation({
  name: 'inventory/describe-providers',
  title: 'Inventory providers in detail',
  description: 'All inventory providers, sorted, with where they come from.',
  effect: 'read',
  roles: ['automation'],
  weight: 'light',
  at: { page: true },
  input: z.object({}),
  output: z.object({
    hosts: z.number().int().describe('Active hosts that inventories are made from'),
    providers: z.array(
      z.object({
        name: z.string(),
        plugin: z
          .string()
          .nullable()
          .describe('The plugin that registers it; null when its name comes from stored data'),
        project: z
          .object({ id: z.string(), description: z.string() })
          .nullable()
          .describe('The project that it is the inventory of'),
      }),
    ),
  }),
  async run(_input, { services, caller }) {
    const { inventories, plugins, storage } = services;
    const [names, projects, hosts] = await Promise.all([
      inventories.names(),
      storage.rules.list('automation_projects'),
      storage.hosts.count({ scope: caller.scope, kind: 'hosts', state: 'active' }),
    ]);
    const byName = new Map(projects.map((project) => [project.name, project]));
    return {
      hosts,
      providers: names.map((name) => {
        const plugin = plugins.providers().get(name)?.pluginId ?? null;
        const project = plugin === null ? byName.get(name) : undefined;
        return {
          name,
          plugin,
          project:
            project === undefined
              ? null
              : { id: project.id, description: memberText(project.document.value, 'description') },
        };
      }),
    };
  },
});
