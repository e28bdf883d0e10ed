import * as z from 'zod';
import { columnNames } from '../../kernel/listing.ts';
import { denialOf } from '../../kernel/may.ts';
import type { Column } from '../../kernel/print.ts';
import { actionIdOf, actionOperations } from '../action-operations.ts';
import { defineOperation } from '../services.ts';

const actionSchema = z.object({
  plugin: z.string(),
  action: z.string(),
  title: z.string(),
  description: z.string(),
  effect: z.enum(['read', 'write', 'destructive']),
  endpoint: z.string().describe('Method and path; empty if it has none'),
  command: z.boolean().describe('Whether "muster plugin run" calls it'),
  tool: z.string().describe('Name of the tool; empty if it is not a tool'),
});

const COLUMNS: readonly Column<z.output<typeof actionSchema>>[] = [
  { header: 'plugin', value: ({ plugin }) => plugin },
  { header: 'action', value: ({ action }) => action },
  { header: 'effect', value: ({ effect }) => effect },
  { header: 'description', value: ({ description }) => description, shrink: true },
];

export const listActions = defineOperation({
  name: 'plugins/list-actions',
  title: 'Actions of plugins',
  description: 'Actions of plugins that the caller may run, and how to call them.',
  effect: 'read',
  roles: ['objects'],
  weight: 'light',
  at: {
    rest: { path: 'GET /plugins' },
    command: {
      words: 'plugin actions',
      description: 'List what plugins offer to do. "muster plugin run" does it.',
      columns: columnNames(COLUMNS),
      json: 'answer the actions as JSON',
      examples: ['muster plugin actions'],
      view: ({ actions }, print) => print.table(actions, COLUMNS, 'No plugin offers an action.'),
    },
  },
  input: z.object({}),
  output: z.object({ actions: z.array(actionSchema) }),
  async run(_input, { services, caller }) {
    const allowed = actionOperations(services.plugins).filter((each) => denialOf(caller, each) === undefined);
    const actions = allowed.map(({ name, title, description, effect, at }) => ({
      ...(actionIdOf(name) ?? { plugin: '', action: '' }),
      title,
      description,
      effect,
      endpoint: at.rest?.path.replace(' /', ' /api/v1/') ?? '',
      command: at.remote === true,
      tool: at.tool?.name ?? '',
    }));
    return { actions };
  },
});
