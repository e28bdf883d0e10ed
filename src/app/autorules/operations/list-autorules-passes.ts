import * as z from 'zod';
import { columnNames } from '../../kernel/listing.ts';
import { defineOperation } from '../../rules/services.ts';
import { untouchedByAutorules } from '../autorules-pass.ts';
import { autorulesPassesView, PASS_COLUMNS } from '../views/autorules.ts';

const MOST = 20;

const outputSchema = z.object({
  passes: z.array(
    z.object({
      began_at: z.string().describe('When the pass began, to the millisecond: it names the pass'),
      rules: z.number().int().describe('Rules that it made and that were not changed or removed since'),
    }),
  ),
});

export const listAutorulesPasses = defineOperation({
  name: 'rules/list-autorules-passes',
  title: 'Results of autorules',
  description: 'The last runs of autorules of which rules are still there as they were made, newest first.',
  effect: 'read',
  roles: ['rules'],
  acrossAccounts: true,
  weight: 'light',
  at: {
    rest: { path: 'GET /rules/autorules', errors: ['forbidden'] },
    command: {
      words: 'rules autorules list',
      description: 'List the runs of autorules of which rules are still there as they were made.',
      summary: 'list what runs of autorules made',
      columns: columnNames(PASS_COLUMNS),
      json: 'answer the list as JSON',
      examples: ['muster rules autorules list'],
      view: autorulesPassesView,
    },
    page: true,
  },
  input: z.object({}),
  output: outputSchema,
  async run(_input, { services, signal }) {
    const counts = new Map<string, number>();
    for await (const batch of untouchedByAutorules(services.storage)) {
      signal.throwIfAborted();
      for (const { at } of batch) {
        const pass = at.toISOString();
        if (!counts.has(pass) && counts.size === MOST) return { passes: passesOf(counts) };
        counts.set(pass, (counts.get(pass) ?? 0) + 1);
      }
    }
    return { passes: passesOf(counts) };
  },
});

function passesOf(counts: ReadonlyMap<string, number>): z.output<typeof outputSchema>['passes'] {
  return [...counts].map(([began_at, rules]) => ({ began_at, rules }));
}
