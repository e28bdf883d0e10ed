import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { counted } from '../../../kit/words/amounts.ts';
import { csvLine } from '../../../kit/words/csv.ts';
import { AppError, type NewOutboxMessage, type Notification } from '../../../ports/index.ts';
import { accountNameSchema } from '../../accounts/operations/show-account.ts';
import { receiverNamed } from '../../accounts/receiver.ts';
import { type Caller, holdsRole } from '../../kernel/caller.ts';
import type { OperationContext } from '../../kernel/operation.ts';
import { notificationOf } from '../../runs/decisions/happening.ts';
import { mayEnter } from '../../users/user.ts';
import { everySavedSearch, isSavedByOwner, type SavedSearch } from '../saved-searches.ts';
import { searchInput } from '../search-input.ts';
import { defineOperation, type SearchServices } from '../services.ts';
import { makeTable } from './host-table.ts';
import { makeReport } from './report-hosts.ts';

/** Values of each field of a report. */
const MOST_VALUES = 200;
/** Characters of a file: more is nothing to read, and what waits to be sent is kept in the database. */
const MOST_CHARACTERS = 2 * 1024 * 1024;
/** Rows that the text of the message itself shows. */
const SHOWN_ROWS = 15;

type Context = OperationContext<SearchServices>;

export const sendSearches = defineOperation({
  name: 'search/send-searches',
  title: 'Send saved searches',
  description:
    'Sends the saved searches that name this account, each as a CSV file with the hosts that its owner may see now.',
  effect: 'write',
  roles: ['administrator'],
  weight: 'heavy',
  at: {
    rest: { path: 'POST /notifications/searches', body: 'required', errors: ['not_found'] },
    command: {
      words: 'search send',
      description: 'Send the saved searches that name an account for notifications, as CSV files.',
      arguments: { receiver: { shown: '<account>', description: 'name of the account that they are sent through' } },
      json: 'answer the outcome as JSON',
      examples: ['muster search send ops-mail'],
      view({ sent, failed }, print, { receiver }) {
        print.note(`${counted(sent.length, 'saved search', 'saved searches')} handed over for ${receiver}.`);
        for (const { name, owner, error } of failed) print.note(`${name} of ${owner}: ${error}`);
      },
    },
  },
  input: z.object({ receiver: accountNameSchema }),
  output: z.object({
    sent: z.array(z.string()).describe('Names of the searches that were handed over to be sent'),
    failed: z.array(z.object({ name: z.string(), owner: z.string(), error: z.string() })),
  }),
  subject: ({ receiver }) => receiver,
  hasFailed: ({ failed }) => failed.length > 0,
  async run({ receiver }, context) {
    const { services, caller } = context;
    const { account } = await receiverNamed(services, receiver);
    const sent: string[] = [];
    const failed: { name: string; owner: string; error: string }[] = [];
    for await (const search of everySavedSearch(services, caller)) {
      if (search.send_to !== account.name) continue;
      context.signal.throwIfAborted();
      const { name, owner } = search;
      try {
        await services.storage.outbox.put({ messages: [await messageOf(search, context)] });
        sent.push(name);
      } catch (error) {
        // One that cannot be made must not stop the others.
        context.signal.throwIfAborted();
        failed.push({ name, owner, error: error instanceof Error ? error.message : String(error) });
      }
    }
    return { sent, failed };
  },
});

type Found = SavedSearch & { readonly id: string };

async function messageOf(search: Found, context: Context): Promise<NewOutboxMessage> {
  const { services } = context;
  const { name, owner, send_to: receiver = '' } = search;
  const { title, rows, csv } = await contentOf(search, { ...context, caller: await ownerAsCaller(search, context) });
  if (csv.length > MOST_CHARACTERS)
    throw new AppError('failed', worded`the file has more than 2 MB; narrow the search or choose fewer columns`);
  const id = services.newId();
  const at = services.clock.now();
  const happening = { event: 'report', subject: name, title, text: rows.join('\n'), at, page: pageOf(search) } as const;
  const notification: Notification = {
    ...notificationOf({ id, rule: name, baseUrl: services.config.BASE_URL }, happening),
    attachment: { name: `${fileName(name)}.csv`, mediaType: 'text/csv; charset=utf-8', text: csv },
  };
  return { id, receiver, topic: `report/${owner}/${name}`, at, state: 'waiting', body: JSON.stringify(notification) };
}

/** Returns the owner with the rights held now. Throws if the owner did not save this search, or may no longer see hosts. */
async function ownerAsCaller(search: Found, { services, caller }: Context): Promise<Caller> {
  const user = await services.users.byName(search.owner);
  if (user === undefined || !mayEnter(user))
    throw new AppError('forbidden', worded`its owner ${{ owner: search.owner }} may not log in`);
  if (!(await isSavedByOwner(services, search)))
    throw new AppError(
      'forbidden',
      worded`it was last stored by someone else than its owner ${{ owner: search.owner }}, who has to save it again`,
    );
  const identity = await services.users.identityOf(user);
  if (!holdsRole(identity, ['objects']))
    throw new AppError('forbidden', worded`its owner ${{ owner: search.owner }} may not see hosts`);
  const { address, requestId, path, entrance } = caller;
  return { ...identity, address, requestId, path, entrance, causedBy: caller.name };
}

interface Content {
  readonly title: string;
  /** The first rows, a line each. */
  readonly rows: readonly string[];
  readonly csv: string;
}

async function contentOf(search: SavedSearch, context: Context): Promise<Content> {
  const { services, caller, signal, progress } = context;
  const { name, columns, sort, rows, by } = search;
  const call = { services, caller, signal, progress, operation: 'search/send-searches' };
  const request = searchInput.parse(search);
  if (rows !== undefined) {
    const report = await makeReport({ ...request, rows, columns: by, values: MOST_VALUES }, call);
    const head = [report.rows_field, 'hosts', ...report.columns.map(({ value }) => value)];
    const lines = report.rows.map(({ value, count, cells }) => [value, String(count), ...cells.map(String)]);
    return {
      title: `${name}: ${counted(report.size, 'host')}`,
      rows: [...incompleteOf(report), ...report.rows.slice(0, SHOWN_ROWS).map(lineOf)],
      csv: [head, ...lines].map(csvLine).join(''),
    };
  }
  const names = columns.includes('name') ? columns : ['name', ...columns];
  const table = await makeTable({ ...request, sort: sort ?? undefined, columns: names, format: 'csv' }, call);
  let csv = '';
  for await (const chunk of table.body) {
    csv += String(chunk);
    if (csv.length > MOST_CHARACTERS) break;
  }
  return { title: name, rows: [], csv };
}

type Report = Awaited<ReturnType<typeof makeReport>>;

/** Says what a report leaves out, so that its numbers are not taken for all hosts. */
function incompleteOf({ is_exact: isExact, is_cut: isCut, size, left_out: leftOut = [] }: Report): readonly string[] {
  return [
    ...(isExact ? [] : [`Only the first ${counted(size, 'host')} by name were counted.`]),
    ...(isCut ? [`Only the ${MOST_VALUES} most frequent values are listed.`] : []),
    ...(leftOut.length === 0 ? [] : [`Not counted, because a text is too long for a pattern: ${leftOut.join(', ')}`]),
  ];
}

function lineOf({ value, count }: Report['rows'][number]): string {
  return `${value || '(none)'}: ${count}`;
}

function pageOf({ where, rows, by, account, kind, state, provider }: SavedSearch): string {
  const shown = rows === undefined ? { where, account, kind, state, provider } : { where, rows, columns: by };
  const given = Object.entries(shown).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const query = new URLSearchParams(given).toString();
  return `${rows === undefined ? '/hosts' : '/hosts/report'}${query === '' ? '' : `?${query}`}`;
}

/** A name for a file on any system. */
function fileName(name: string): string {
  return name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+|[.-]+$/g, '') || 'report';
}
