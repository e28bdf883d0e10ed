import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import { removeSearch, savedNameSchema } from '../saved-searches.ts';
import { defineOperation } from '../services.ts';

export const removeSavedSearch = defineOperation({
  name: 'search/remove-saved-search',
  title: 'Remove a saved search',
  description: 'Removes a search that the caller saved.',
  effect: 'write',
  roles: ['objects'],
  weight: 'light',
  at: {
    page: true,
    rest: { path: 'DELETE /objects/search/saved/:name', errors: ['not_found'] },
    command: {
      words: 'search remove',
      description: 'Remove a saved search.',
      arguments: { name: { shown: '<name>', description: 'name of the search' } },
      json: 'answer the outcome as JSON',
      examples: ["muster search remove 'old kernels'"],
      view: (_, print, { name }) => print.note(`Removed ${name}.`),
    },
  },
  input: z.object({ name: savedNameSchema }),
  output: z.object({ status: z.literal('removed') }),
  subject: ({ name }) => name,
  async run({ name }, { services, caller }) {
    if (await removeSearch(services, caller, name)) return { status: 'removed' as const };
    throw new AppError(
      'not_found',
      worded`you have no saved search ${{ name }}; muster search list shows which there are`,
    );
  },
});
