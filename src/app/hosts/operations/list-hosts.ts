import * as z from 'zod';
import { flag } from '../../../kit/options/values.ts';
import { schemaText, worded } from '../../../kit/worded.ts';
import {
  type HostFilter,
  type HostRecord,
  type HostScope,
  type HostStore,
  PAGE_CHARACTERS,
  StoredJson,
} from '../../../ports/index.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import { pathPrefix } from '../../kernel/config/path-prefix.ts';
import { SizeBudget } from '../../kernel/size-budget.ts';
import { charactersOf } from '../decisions/host-size.ts';
import { type HostAnswer, hostAnswerText, hostSchema } from '../host-schemas.ts';
import { type KeyValues, keysOfHosts } from '../keys-of-hosts.ts';
import { type Fields, fieldsSchema, type PartialHost, SECTION, shortenedHost, withFields } from '../partial-host.ts';
import { defineStreamOperation } from '../services.ts';

const MAX_PAGE_SIZE = 10_000;
const DEFAULT_PAGE_SIZE = 100;
/** Hosts that are read and written to the answer at a time. */
const BATCH_SIZE = 250;

const WHOLE_NUMBER = 'must be a whole number, 0 or more';

const count = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)], { error: WHOLE_NUMBER })
  .pipe(z.number().int(WHOLE_NUMBER).min(0, WHOLE_NUMBER));

export const listHosts = defineStreamOperation({
  name: 'hosts/list-hosts',
  title: 'List hosts',
  description: 'A page of hosts by hostname. Follow _links.next until it is absent.',
  effect: 'read',
  roles: ['objects'],
  weight: 'light',
  at: {
    rest: { path: 'GET /objects/all', query: ['start', 'limit', 'after', 'keys'] },
    tool: {
      name: 'list_hosts',
      description:
        'A page of hosts by hostname, with labels and inventory. "size" counts all hosts; continue with start. Hosts only, not objects.',
    },
  },
  input: z.object({
    start: count.default(1).describe('Zero-based offset of the first host; start=0 begins with the first one'),
    limit: count
      .pipe(
        z
          .number()
          .int()
          .min(0)
          .max(MAX_PAGE_SIZE, schemaText(worded`must be at most ${{ most: String(MAX_PAGE_SIZE) }}`)),
      )
      .default(DEFAULT_PAGE_SIZE)
      .describe('Hosts per page'),
    after: z.string().optional().describe('As given by _links.next: makes deep pages fast'),
    keys: flag().default(false).describe('Adds the keys that identify each host elsewhere, if it has any'),
    fields: fieldsSchema,
    sent: count.optional().describe('Hosts of the page that were answered already: only what follows them is made'),
  }),
  output: z.object({
    results: z.array(hostSchema),
    start: z.number().int(),
    limit: z.number().int(),
    size: z.number().int().describe('Number of all hosts that the caller may see'),
    _links: z.object({ next: z.string().optional(), prev: z.string().optional() }),
    left_out: z.array(z.string()).optional().describe('Parts of a host alone that were too large for the answer'),
  }),
  async run(input, { services, caller, answerCharacters, continued }) {
    const { keys } = input;
    const { hosts, marks } = services.storage;
    const size = await hosts.count(filterOf(hostScopeOf(caller)));
    const prefix = pathPrefix(services.config);
    const keysOf = keys ? (batch: readonly HostRecord[]) => keysOfHosts(marks, namesOf(batch)) : undefined;
    return {
      mediaType: 'application/json',
      unchanged: false,
      body: page(hosts, hostScopeOf(caller), {
        ...input,
        size,
        keysOf,
        prefix,
        most: answerCharacters,
        continued: async (sent, last) => (await continued?.({ ...input, sent, after: last }))?.body,
      }),
    };
  },
});

interface PageRequest {
  readonly start: number;
  readonly limit: number;
  readonly after?: string | undefined;
  readonly fields?: Fields;
  /** Hosts of the page that were answered by another thread, with the beginning of the page; absent: none of it was. */
  readonly sent?: number | undefined;
  readonly size: number;
  /** The path below which clients find the service. */
  readonly prefix: string;
  /** The keys of these hosts; absent: they are not asked for. */
  readonly keysOf: ((batch: readonly HostRecord[]) => Promise<ReadonlyMap<string, KeyValues>>) | undefined;
  /** Maximum size of the answer, characters; if absent, it holds all hosts that it should have. */
  readonly most: number | undefined;
  /** Returns the rest of the answer from another thread; `undefined` if there is none. */
  continued(sent: number, last: string | undefined): Promise<AsyncIterable<string | Uint8Array> | undefined>;
}

function namesOf(hosts: readonly HostRecord[]): readonly string[] {
  return hosts.map(({ hostname }) => hostname);
}

/** Records beyond a page of the storage are large ones, and other requests would have to wait for each of them. */
const LARGE_BATCH = 1.25 * PAGE_CHARACTERS;

async function* page(hosts: HostStore, scope: HostScope, request: PageRequest): AsyncGenerator<string | Uint8Array> {
  const { start, limit, size, keysOf, fields, most } = request;
  const room = new SizeBudget(most ?? Number.POSITIVE_INFINITY);
  let { after: last, sent = 0 } = request;
  let leftOut: readonly string[] | undefined;
  if (request.sent === undefined) yield '{"results":[';
  reading: for await (const batch of batchesOf(hosts, scope, request)) {
    if (charactersOf(batch) > LARGE_BATCH) {
      const rest = await request.continued(sent, last);
      if (rest !== undefined) return yield* rest;
    }
    const keys = await keysOf?.(batch);
    let piece = '';
    for (const host of batch) {
      let text = hostText(host, keys?.get(host.hostname), fields);
      if (!room.takesCharacters(text.length)) {
        if (sent > 0 || most === undefined) {
          if (piece !== '') yield piece;
          break reading;
        }
        const shortened = shortenedHost(JSON.parse(text) as PartialHost, most);
        leftOut = shortened.leftOut;
        text = JSON.stringify(shortened.host);
      }
      piece += `${sent === 0 ? '' : ','}${text}`;
      sent++;
      last = host.hostname;
      // A batch of small hosts is one piece, and a large host is one for itself.
      if (piece.length > PAGE_CHARACTERS) {
        yield piece;
        piece = '';
      }
    }
    if (piece !== '') yield piece;
  }
  const links = JSON.stringify(linksOf(request, last));
  const parts = leftOut === undefined ? '' : `,"left_out":${JSON.stringify(leftOut)}`;
  yield `],"start":${start},"limit":${limit},"size":${size},"_links":${links}${parts}}`;
}

/** The host as JSON, of which no member is taken apart unless some of its sections are wanted. */
function hostText(host: HostRecord, keys: KeyValues | undefined, fields: Fields): string {
  if (fields === undefined) return hostAnswerText(host, keys);
  const isSectionWanted = fields.some((field) => field.startsWith(SECTION));
  const isPart = !isSectionWanted && !fields.includes('inventory');
  const shown = isPart ? { ...host, inventory: StoredJson.ofText<HostRecord['inventory']['value']>('{}') } : host;
  return JSON.stringify(withFields(JSON.parse(hostAnswerText(shown, keys)) as HostAnswer, fields));
}

/** One query by place for few hosts; the others come by one scan behind it, as a query for each batch would cost more. */
async function* batchesOf(
  hosts: HostStore,
  scope: HostScope,
  { start, limit, after, sent = 0 }: PageRequest,
): AsyncGenerator<readonly HostRecord[]> {
  const filter = filterOf(scope);
  let left = limit - sent;
  let last = after;
  if (left <= 0) return;
  if (limit <= BATCH_SIZE || (after === undefined && start > 0)) {
    const place = after === undefined ? { offset: start + sent } : { offset: 0, after };
    const first = await hosts.page({ filter, ...place, limit: Math.min(left, BATCH_SIZE) });
    const isEnd = first.length < Math.min(left, BATCH_SIZE) && charactersOf(first) < PAGE_CHARACTERS;
    left -= first.length;
    last = first.at(-1)?.hostname;
    if (first.length > 0) yield first;
    if (left === 0 || isEnd) return;
  }
  for await (const batch of hosts.scan(filter, Math.min(left, BATCH_SIZE), last)) {
    yield batch.slice(0, left);
    left -= batch.length;
    if (left <= 0) return;
  }
}

function linksOf(
  { start, limit, size, keysOf, prefix }: PageRequest,
  last: string | undefined,
): { next?: string; prev?: string } {
  const path = `${prefix}/api/v1/objects/all`;
  const keys = keysOf === undefined ? '' : '&keys=true';
  const end = start + limit;
  return {
    ...(limit > 0 && end < size
      ? {
          next: `${path}?start=${end}&limit=${limit}${keys}${last === undefined ? '' : `&after=${encodeURIComponent(last)}`}`,
        }
      : {}),
    ...(limit > 0 && start > 0 ? { prev: `${path}?start=${Math.max(start - limit, 0)}&limit=${limit}${keys}` } : {}),
  };
}

function filterOf(scope: HostScope): HostFilter {
  return { scope, kind: 'hosts', state: 'active' };
}
