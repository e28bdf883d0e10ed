import * as z from 'zod';
import { byBytes } from '../../../kit/names/variable-names.ts';
import { flag } from '../../../kit/options/values.ts';
import { worded } from '../../../kit/worded.ts';
import { AppError, type HostRecord, type HostStore } from '../../../ports/index.ts';
import { ownerName } from '../../hosts/decisions/owner-name.ts';
import { archivedAnswer, archivedSchema } from '../../hosts/host-archive.ts';
import { briefHostAnswer, hostAnswer, hostSchema, inventorySchema, sizeOfHost } from '../../hosts/host-schemas.ts';
import { cellSchema, columnOf } from '../decisions/columns.ts';
import { conditionsOf } from '../decisions/conditions.ts';
import type { SortPlace } from '../decisions/sorted-hosts.ts';
import { leftOutSchema, MOST_LOOKED, notFound, notFoundSchema, type OpenedSearch, openSearch } from '../open-search.ts';
import { columnList, SEARCH_QUERY, searchInput, sortSchema } from '../search-input.ts';
import { defineOperation } from '../services.ts';
import { fieldsOf, firstSorted, hostsAt } from '../sorted-search.ts';

const foundHostSchema = hostSchema.extend({
  inventory: inventorySchema.optional(),
  account: z.string().nullable(),
  object_type: z.string(),
  archived: archivedSchema,
  values: z.record(z.string(), cellSchema).optional().describe('The values of the requested columns'),
});

type FoundHost = z.infer<typeof foundHostSchema>;

/** By what people ask. `list-hosts` streams every active host as it is stored, for clients that read all of them. */
export const searchHosts = defineOperation({
  name: 'search/search-hosts',
  title: 'Search hosts',
  description:
    'Hosts and objects that a query finds: site:fra cpus>=8, seen<2d, runs_on:esx01, NOT group:web. Also archived ones, if it asks for the state.',
  effect: 'read',
  roles: ['objects'],
  weight: 'heavy',
  at: {
    page: true,
    rest: {
      path: 'GET /objects/search',
      query: [...SEARCH_QUERY, 'sort', 'columns', 'inventory', 'after', 'limit', 'seconds'],
    },
    tool: { name: 'search_hosts' },
  },
  input: searchInput.extend({
    sort: sortSchema,
    columns: columnList('Further fields whose values each host is answered with'),
    inventory: flag().default(true).describe('False leaves the inventory sections out of the answer'),
    after: z.string().max(2000).optional().describe('Continues there: the `next` of the answer before'),
    limit: z.coerce.number().int().min(1).max(1000).default(100).describe('At most this many hosts'),
    seconds: z.coerce
      .number()
      .min(0)
      .max(600)
      .optional()
      .describe(
        'For a search for served values without a sort field: after this many seconds the answer has the hosts found so far, and the next call finds more. Absent: all hosts are checked',
      ),
  }),
  output: z.object({
    size: z.number().int().nullable().describe('How many there are in all; null if not counted (use count_hosts)'),
    next: z
      .string()
      .nullable()
      .describe('Value of `after` for the next page; null at the end. A page may end before it is full'),
    hosts: z.array(foundHostSchema),
    looked: z
      .number()
      .int()
      .optional()
      .describe('How many hosts were checked when `seconds` were over; absent if all were'),
    conditions: z
      .array(z.string())
      .describe('The parts of the query that must all hold, as they are written; next to each other they ask the same'),
    left_out: leftOutSchema,
    not_found: notFoundSchema,
  }),
  async run(
    { sort, columns, inventory, after, limit, seconds, ...request },
    { services, caller, signal, progress, answerCharacters },
  ) {
    const most = answerCharacters ?? PAGE_MOST;
    const leftOut = new Set<string>();
    const search = await openSearch(
      request,
      {
        ...{ services, caller, signal, progress, leftOut, operation: 'search/search-hosts' },
        // In another order the first hosts may be among the unchecked ones.
        ...(sort === undefined && { seconds }),
      },
      fieldsOf(columns, sort),
    );
    const [size, found] = await Promise.all([
      search.asks ? null : services.storage.hosts.count(search.filter),
      sort === undefined
        ? inOrderOfNames(search, after, { limit, most })
        : sorted(search, services.storage.hosts, { sort, after, limit, most }),
    ]);
    const isWhole = after === undefined && found.next === null;
    if (isWhole) search.misses.look(found.hosts);
    const cells = columns.map((column) => [column, columnOf(column, search.known)] as const);
    const answered = (host: HostRecord): FoundHost => ({
      // A single host may be larger than the caller accepts.
      ...(inventory && sizeOfHost(host) <= most ? hostAnswer(host) : briefHostAnswer(host)),
      account: ownerName(host, search.known.accounts),
      object_type: host.objectType,
      archived: archivedAnswer(host),
      ...(cells.length === 0
        ? {}
        : { values: Object.fromEntries(cells.map(([column, cell]) => [column, cell(host)])) }),
    });
    return {
      size: found.size ?? size,
      next: found.next,
      hosts: found.hosts.map(answered),
      ...(found.looked !== undefined && { looked: found.looked }),
      conditions: [...conditionsOf(request.where)],
      ...(leftOut.size > 0 && { left_out: [...leftOut] }),
      ...(isWhole && notFound(search)),
    };
  },
});

interface Page {
  readonly hosts: readonly HostRecord[];
  readonly next: string | null;
  /** Present if the hosts were counted on the way. */
  readonly size?: number;
  /** How many hosts were checked; absent if all were. */
  readonly looked?: number;
}

/** Maximum size of a page for callers that accept any amount, characters. */
const PAGE_MOST = 8 * 1024 * 1024;

interface PageLimits {
  readonly limit: number;
  /** Characters of its hosts; a page has one host at least. */
  readonly most: number;
}

async function inOrderOfNames(
  search: OpenedSearch,
  after: string | undefined,
  { limit, most }: PageLimits,
): Promise<Page> {
  const hosts: HostRecord[] = [];
  let left = MOST_LOOKED;
  let room = most;
  for await (const step of search.found(after)) {
    for (const host of step.hosts) {
      room -= sizeOfHost(host);
      if (hosts.length === limit || (room < 0 && hosts.length > 0))
        return { hosts, next: hosts.at(-1)?.hostname ?? null };
      hosts.push(host);
    }
    left -= step.looked;
    if (left <= 0) return { hosts, next: step.last };
  }
  if (search.until !== undefined) {
    const { hostname, looked } = search.until;
    return { hosts, next: after !== undefined && byBytes(after, hostname) > 0 ? after : hostname, looked };
  }
  return { hosts, next: null, ...(after === undefined ? { size: hosts.length } : {}) };
}

/** The page that follows a place in the order. Only places are kept until all hosts were looked at. */
async function sorted(
  search: OpenedSearch,
  store: Pick<HostStore, 'findEach'>,
  { sort, after, limit, most }: PageLimits & { readonly sort: string; readonly after: string | undefined },
): Promise<Page> {
  const from = after === undefined ? undefined : placeOf(after);
  const { places, size } = await firstSorted(search, { sort, from, most: limit + 1 });
  const wanted = places.slice(0, limit);
  const hosts: HostRecord[] = [];
  let room = most;
  let at = 0;
  for await (const host of hostsAt(wanted, store)) {
    room -= host === undefined ? 0 : sizeOfHost(host);
    if (room < 0 && hosts.length > 0) return { hosts, next: placeBefore(wanted, at), size };
    if (host !== undefined) hosts.push(host);
    at++;
  }
  return { hosts, next: places.length > limit ? placeBefore(wanted, wanted.length) : null, size };
}

function placeBefore(places: readonly SortPlace[], index: number): string | null {
  const place = places[index - 1];
  return place === undefined ? null : textOf(place);
}

function textOf({ value, hostname }: SortPlace): string {
  return JSON.stringify([value ?? null, hostname]);
}

function placeOf(after: string): SortPlace {
  const place = z.tuple([z.union([z.string(), z.number(), z.boolean(), z.null()]), z.string()]);
  try {
    const [value, hostname] = place.parse(JSON.parse(after));
    return { value, hostname };
  } catch {
    throw new AppError(
      'invalid_input',
      worded`after is not a place in this order; pass the \`next\` of the answer before, or leave it out`,
    );
  }
}
