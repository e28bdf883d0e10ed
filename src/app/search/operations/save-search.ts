import * as z from 'zod';
import { flag } from '../../../kit/options/values.ts';
import { worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import { receiverNamed } from '../../accounts/receiver.ts';
import { required } from '../../hosts/decisions/check.ts';
import { type Caller, wholeAccountsOf } from '../../kernel/caller.ts';
import { parseQuery } from '../decisions/parse-query.ts';
import { narrowedSchema, savedNameSchema, saveSearch as store } from '../saved-searches.ts';
import { columnList } from '../search-input.ts';
import { defineOperation, type SearchServices } from '../services.ts';

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
        where: { shown: '[query]', description: 'what is looked for; absent: all hosts' },
      },
      options: {
        columns: { flags: '--columns <fields>', description: 'fields that are shown of each host' },
        sort: { flags: '--sort <field>', description: 'a field to sort by' },
        kind: { flags: '--kind <kind>', description: 'hosts, objects or all' },
        state: { flags: '--state <state>', description: 'active, archived or any' },
        account: { flags: '--account <name>', description: 'only hosts of this account' },
        provider: { flags: '--provider <name>', description: 'the inventory that group: and served. ask' },
        rows: { flags: '--rows <field>', description: 'make it a report: count hosts by this field' },
        by: { flags: '--by <field>', description: 'the second field of the report' },
        dashboard: { flags: '--dashboard <name>', description: 'show it on this dashboard' },
        show: { flags: '--show <what>', description: 'what the dashboard shows: hosts or number' },
        send_to: {
          flags: '--send-to <account>',
          description: 'the account that the job Report sends it through',
        },
        shared: { flags: '--shared', description: 'share it with everyone who may see hosts' },
      },
      json: 'answer the outcome as JSON',
      examples: [
        "muster search save 'old kernels' 'kernel<5.10' --columns name,kernel --shared",
        "muster search save 'hosts by site' --rows site --by os --dashboard Weekly --send-to ops-mail",
      ],
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
    if (search.rows === undefined && search.by !== undefined)
      throw new AppError('invalid_input', worded`a report needs its first field; set rows, or leave out by`);
    if (search.send_to !== undefined) await requireSendable(services, caller, search.send_to);
    const outcome = await store(services, caller, search);
    if (outcome === 'saved') return { status: outcome };
    throw new AppError(
      'invalid_input',
      worded`you have as many saved searches as one may have (200); remove some first`,
    );
  },
});

/** Throws unless the account can send and the caller is a user: a search is sent with the rights of its owner. */
async function requireSendable(services: SearchServices, caller: Caller, receiver: string): Promise<void> {
  const account = await services.accounts.byName(receiver);
  const scope = wholeAccountsOf(caller);
  // An account beyond the caller's reach is refused like an unknown one.
  if (account === undefined || (scope !== null && !scope.includes(account.id)))
    throw new AppError('not_found', worded`there is no account ${{ name: receiver }} to send through`);
  await receiverNamed(services, receiver);
  if (caller.token?.limited === true)
    throw new AppError(
      'forbidden',
      worded`a search is sent with all rights of its owner, and this token has fewer; save it in the pages, or with a token that has all of them`,
    );
  if ((await services.users.byName(caller.name)) === undefined)
    throw new AppError(
      'invalid_input',
      worded`a search is sent with the rights of its owner, and ${{ name: caller.name }} is not a user of Muster; save it as a user`,
    );
}
