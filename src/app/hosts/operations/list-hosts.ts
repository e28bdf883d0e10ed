import * as z from 'zod';
import {
  type HostFilter,
  type HostRecord,
  type HostScope,
  type HostStore,
  PAGE_CHARACTERS,
} from '../../../ports/index.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import { pathPrefix } from '../../kernel/config/path-prefix.ts';
import { flag } from '../../kernel/options/values.ts';
import { schemaText, worded } from '../../kernel/worded.ts';
import { charactersOf } from '../decisions/host-size.ts';
import { hostAnswerText, hostSchema } from '../host-schemas.ts';
import { type KeyValues, keysOfHosts } from '../keys-of-hosts.ts';
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
    keys: flag().default(false).describe('Also what each host is known by elsewhere, where it has keys'),
  }),
  output: z.object({
    results: z.array(hostSchema),
    start: z.number().int(),
    limit: z.number().int(),
    size: z.number().int().describe('Number of all hosts that the caller may see'),
    _links: z.object({ next: z.string().optional(), prev: z.string().optional() }),
  }),
  async run({ start, limit, after, keys }, { services, caller }) {
    const { hosts, marks } = services.storage;
    const size = await hosts.count(filterOf(hostScopeOf(caller)));
    const prefix = pathPrefix(services.config);
    const keysOf = keys ? (batch: readonly HostRecord[]) => keysOfHosts(marks, namesOf(batch)) : undefined;
    return {
      mediaType: 'application/json',
      unchanged: false,
      body: page(hosts, hostScopeOf(caller), { start, limit, after, size, keysOf, prefix }),
    };
  },
});

interface PageRequest {
  readonly start: number;
  readonly limit: number;
  readonly after: string | undefined;
  readonly size: number;
  /** The path below which clients find the service. */
  readonly prefix: string;
  /** The keys of these hosts; absent: they are not asked for. */
  readonly keysOf: ((batch: readonly HostRecord[]) => Promise<ReadonlyMap<string, KeyValues>>) | undefined;
}

function namesOf(hosts: readonly HostRecord[]): readonly string[] {
  return hosts.map(({ hostname }) => hostname);
}

async function* page(hosts: HostStore, scope: HostScope, request: PageRequest): AsyncGenerator<string> {
  const { start, limit, size, keysOf } = request;
  let last = request.after;
  let separator = '';
  yield '{"results":[';
  for await (const batch of batchesOf(hosts, scope, request)) {
    const keys = await keysOf?.(batch);
    yield separator + batch.map((host) => hostAnswerText(host, keys?.get(host.hostname))).join(',');
    separator = ',';
    last = batch.at(-1)?.hostname;
  }
  const links = linksOf(request, last);
  yield `],"start":${start},"limit":${limit},"size":${size},"_links":${JSON.stringify(links)}}`;
}

/** One query by place for few hosts; the others come by one scan behind it, as a query for each batch would cost more. */
async function* batchesOf(
  hosts: HostStore,
  scope: HostScope,
  { start, limit, after }: PageRequest,
): AsyncGenerator<readonly HostRecord[]> {
  const filter = filterOf(scope);
  let left = limit;
  let last = after;
  if (limit <= BATCH_SIZE || (after === undefined && start > 0)) {
    const place = after === undefined ? { offset: start } : { offset: 0, after };
    const first = await hosts.page({ filter, ...place, limit: Math.min(limit, BATCH_SIZE) });
    const isEnd = first.length < Math.min(limit, BATCH_SIZE) && charactersOf(first) < PAGE_CHARACTERS;
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
