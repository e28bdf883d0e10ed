import * as z from 'zod';
import { columnNames } from '../../kernel/listing.ts';
import type { Column } from '../../kernel/print.ts';
import { savedSearches, savedSearchSchema } from '../saved-searches.ts';
import { defineOperation } from '../services.ts';

const COLUMNS: readonly Column<z.output<typeof savedSearchSchema>>[] = [
  { header: 'name', value: ({ name }) => name },
  { header: 'query', value: ({ where }) => where, shrink: true },
  { header: 'owner', value: ({ owner }) => owner },
  { header: 'shared', value: ({ shared }) => (shared ? 'yes' : 'no') },
];

export const listSavedSearches = defineOperation({
  name: 'search/list-saved-searches',
  title: 'Saved searches',
  description: 'Searches for hosts that the caller saved, and those that others share.',
  effect: 'read',
  roles: ['objects'],
  weight: 'light',
  at: {
    page: true,
    rest: { path: 'GET /objects/search/saved' },
    command: {
      words: 'search list',
      description: 'List saved searches.',
      columns: columnNames(COLUMNS),
      json: 'answer the searches as JSON',
      examples: ['muster search list'],
      view: ({ searches }, print) => print.table(searches, COLUMNS, 'There are no saved searches yet.'),
    },
    tool: { name: 'list_saved_searches' },
  },
  input: z.object({}),
  output: z.object({ searches: z.array(savedSearchSchema) }),
  run: async (_, { services, caller }) => ({ searches: [...(await savedSearches(services, caller))] }),
});
