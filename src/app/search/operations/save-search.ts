import * as z from 'zod';
import { flag } from '../../../kit/options/values.ts';
import { worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import { required } from '../../hosts/decisions/check.ts';
import { parseQuery } from '../decisions/parse-query.ts';
import { narrowedSchema, savedNameSchema, saveSearch as store } from '../saved-searches.ts';
import { columnList } from '../search-input.ts';
import { defineOperation } from '../services.ts';

export const saveSearch = defineOperation({
  name: 'search/save-search',
  title: 'Save a search',
  description: 'Saves a search for hosts under a name; the caller’s search of that name is replaced.',
  effect: 'write',
  roles: ['objects'],
  weight: 'light',
  at: {
    page: true,
    rest: { path: 'POST /objects/search/saved', body: 'required' },
    command: {
      words: 'search save',
      description: 'Save a search for hosts under a name.',
      arguments: {
        name: { shown: '<name>', description: 'name of the search' },
        where: { shown: '<query>', description: 'what is looked for' },
      },
      options: {
        columns: { flags: '--columns <fields>', description: 'fields that are shown of each host' },
        sort: { flags: '--sort <field>', description: 'a field to sort by' },
        kind: { flags: '--kind <kind>', description: 'hosts, objects or all' },
        state: { flags: '--state <state>', description: 'active, archived or any' },
        account: { flags: '--account <name>', description: 'only hosts of this account' },
        provider: { flags: '--provider <name>', description: 'the inventory that group: and served. ask' },
        shared: { flags: '--shared', description: 'share it with everyone who may see hosts' },
      },
      json: 'answer the outcome as JSON',
      examples: ["muster search save 'old kernels' 'kernel<5.10' --columns name,kernel --shared"],
      view: (_, print, { name }) => print.note(`Saved ${name}.`),
    },
    tool: { name: 'save_search', replaces: true, idempotent: true },
  },
  input: z.object({
    name: savedNameSchema,
    where: z.string().trim().max(10_000).default('').describe('The query'),
    columns: columnList('Fields that are shown of each host'),
    sort: z.string().max(200).optional().describe('A field to sort by, with a minus in front for the other direction'),
    shared: flag().default(false).describe('True shares it with everyone who may see hosts'),
    ...narrowedSchema.shape,
  }),
  output: z.object({ status: z.literal('saved') }),
  subject: ({ name }) => name,
  async run(search, { services, caller }) {
    required(parseQuery(search.where));
    const outcome = await store(services, caller, search);
    if (outcome === 'saved') return { status: outcome };
    throw new AppError(
      'invalid_input',
      worded`you have as many saved searches as one may have (200); remove some first`,
    );
  },
});
