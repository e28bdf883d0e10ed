import * as z from 'zod';
import { csvLine } from '../../../kit/words/csv.ts';
import type { HostRecord, HostStore } from '../../../ports/index.ts';
import type { StreamAnswer } from '../../kernel/operation.ts';
import { type Cell, cellSchema, cellText, columnOf } from '../decisions/columns.ts';
import type { SortPlace } from '../decisions/sorted-hosts.ts';
import { type OpenedSearch, openSearch, type SearchCall } from '../open-search.ts';
import { columnList, SEARCH_QUERY, searchInput, sortSchema } from '../search-input.ts';
import { defineStreamOperation } from '../services.ts';
import { fieldsOf, firstSorted, hostsAt } from '../sorted-search.ts';

const DEFAULT_COLUMNS = ['name', 'account', 'seen', 'changed', 'labels'];
/** How many places are kept at a time if rows are sorted; each further batch examines all hosts once more. */
const SORTED_AT_ONCE = 25_000;

const tableInput = searchInput.extend({
  sort: sortSchema,
  columns: columnList(
    `The fields of the columns, with commas between them; "labels" is all labels. ${DEFAULT_COLUMNS.join(',')} when absent`,
  ),
  format: z
    .enum(['csv', 'json', 'name'])
    .default('csv')
    .describe('A CSV file, a JSON array of objects, or a hostname a line'),
  limit: z.coerce.number().int().min(1).optional().describe('At most this many hosts'),
});

export const hostTable = defineStreamOperation({
  name: 'search/host-table',
  title: 'Table of hosts',
  description: 'All hosts that a query finds, with the columns that are asked for, as CSV, as JSON, or as bare names.',
  effect: 'read',
  roles: ['objects'],
  weight: 'heavy',
  at: {
    page: true,
    rest: {
      path: 'GET /objects/search/table',
      query: [...SEARCH_QUERY, 'sort', 'columns', 'format', 'limit'],
    },
  },
  input: tableInput,
  output: z.array(z.record(z.string(), cellSchema)),
  run: async (input, { services, caller, signal }) => ({
    ...(await makeTable(input, { services, caller, signal, operation: 'search/host-table' })),
    unchanged: false,
  }),
});

/** Makes the table of the hosts that a query finds, a chunk of text at a time. */
export async function makeTable(
  { sort, columns, format, limit, ...request }: z.output<typeof tableInput>,
  call: Omit<SearchCall, 'leftOut'>,
): Promise<Pick<StreamAnswer, 'mediaType' | 'body'>> {
  const fields = format === 'name' ? ['name'] : columns.length === 0 ? DEFAULT_COLUMNS : columns;
  const search = await openSearch(request, call, fieldsOf(fields, sort));
  const cells = fields.map((field) => columnOf(field, search.known));
  const rowOf = (host: HostRecord): Row => cells.map((cell) => cell(host));
  const rows =
    sort === undefined
      ? rowsByName(search, rowOf)
      : sortedRows(search, call.services.storage.hosts, {
          sort,
          most: Math.min(limit ?? SORTED_AT_ONCE, SORTED_AT_ONCE),
          rowOf,
        });
  const shape = SHAPES[format];
  return {
    mediaType: shape.mediaType,
    body: shape.text(fields, limit === undefined ? rows : firstOf(rows, limit)),
  };
}

type Row = readonly Cell[];
type Rows = AsyncIterable<readonly Row[]>;

interface Shape {
  readonly mediaType: string;
  text(fields: readonly string[], rows: Rows): AsyncIterable<string>;
}

const SHAPES: Readonly<Record<'csv' | 'json' | 'name', Shape>> = {
  csv: { mediaType: 'text/csv; charset=utf-8', text: csvText },
  json: { mediaType: 'application/json', text: jsonRows },
  name: { mediaType: 'text/plain; charset=utf-8', text: nameLines },
};

async function* csvText(fields: readonly string[], rows: Rows): AsyncGenerator<string> {
  yield csvLine(fields);
  for await (const some of rows) yield some.map((row) => csvLine(row.map(cellText))).join('');
}

async function* jsonRows(fields: readonly string[], rows: Rows): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const some of rows) {
    const objects = some.map((row) => JSON.stringify(Object.fromEntries(fields.map((field, at) => [field, row[at]]))));
    if (objects.length > 0) yield separator + objects.join(',\n');
    if (objects.length > 0) separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

async function* nameLines(_fields: readonly string[], rows: Rows): AsyncGenerator<string> {
  for await (const some of rows) yield some.map(([name]) => `${cellText(name)}\n`).join('');
}

async function* rowsByName(search: OpenedSearch, rowOf: (host: HostRecord) => Row): AsyncGenerator<readonly Row[]> {
  for await (const { hosts } of search.found(undefined)) yield hosts.map(rowOf);
}

async function* sortedRows(
  search: OpenedSearch,
  store: Pick<HostStore, 'findEach'>,
  { sort, most, rowOf }: { readonly sort: string; readonly most: number; rowOf(host: HostRecord): Row },
): AsyncGenerator<readonly Row[]> {
  let from: SortPlace | undefined;
  for (;;) {
    const { places } = await firstSorted(search, { sort, from, most });
    for await (const host of hostsAt(places, store)) if (host !== undefined) yield [rowOf(host)];
    from = places.at(-1);
    if (places.length < most) return;
  }
}

async function* firstOf(rows: Rows, limit: number): AsyncGenerator<readonly Row[]> {
  let left = limit;
  for await (const some of rows) {
    yield some.slice(0, left);
    left -= some.length;
    if (left <= 0) return;
  }
}
