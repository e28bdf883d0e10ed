import * as z from 'zod';
import { memberText } from '../../../kit/document/members.ts';
import { printable } from '../../../kit/words/escape.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import { columnNames } from '../../kernel/listing.ts';
import type { Column } from '../../kernel/print.ts';
import { inventoryPaths } from '../inventory-paths.ts';
import { defineOperation } from '../services.ts';

const providerSchema = z.object({
  name: z.string(),
  plugin: z.string().nullable().describe('The plugin that registers it; null when its name comes from stored data'),
  project: z
    .object({ id: z.string(), description: z.string() })
    .nullable()
    .describe('The project that it is the inventory of'),
});

const COLUMNS: readonly Column<z.output<typeof providerSchema>>[] = [
  { header: 'name', value: ({ name }) => name },
  { header: 'plugin', value: ({ plugin }) => plugin ?? '' },
  { header: 'description', value: ({ project }) => project?.description ?? '', shrink: true },
];

export const listProviders = defineOperation({
  name: 'inventory/list-providers',
  title: 'Inventory providers',
  description: 'Names of all inventory providers, sorted.',
  effect: 'read',
  roles: ['automation'],
  weight: 'light',
  at: {
    command: {
      words: 'inventory-providers',
      description:
        'List the names of all inventory providers, one a line: those of plugins and one for each enabled project.',
      columns: columnNames(COLUMNS),
      json: 'answer {"providers": […]}',
      examples: ['muster inventory-providers', 'muster inventory-providers --json'],
      answered: namesOf,
      view: ({ providers }, print) =>
        print.asksForTable
          ? print.table(providers, COLUMNS, 'There are no inventory providers.')
          : print.result(providers.map(({ name }) => `${printable(name)}\n`).join('')),
    },
    rest: {
      path: 'GET /inventory/automation',
      ...inventoryPaths(''),
      answer: namesOf,
      output: z.object({ providers: z.array(z.string()) }),
    },
    page: true,
  },
  input: z.object({}),
  output: z.object({
    hosts: z.number().int().describe('Active hosts that inventories are made from'),
    providers: z.array(providerSchema),
  }),
  async run(_input, { services, caller }) {
    const { inventories, plugins, storage } = services;
    const [names, projects, hosts] = await Promise.all([
      inventories.names(),
      storage.rules.list('automation_projects'),
      storage.hosts.count({ scope: hostScopeOf(caller), kind: 'hosts', state: 'active' }),
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

/** Consumers ask by name and get the names alone. */
function namesOf({ providers }: { readonly providers: readonly { readonly name: string }[] }): { providers: string[] } {
  return { providers: providers.map(({ name }) => name) };
}
