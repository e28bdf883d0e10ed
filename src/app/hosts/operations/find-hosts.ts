import * as z from 'zod';
import {
  type HostFilter,
  type HostRecord,
  type HostScope,
  type HostStore,
  PAGE_CHARACTERS,
  type Storage,
} from '../../../ports/index.ts';
import { type Caller, hostScopeOf } from '../../kernel/caller.ts';
import { secondsOf } from '../../words/moment.ts';
import { keyAsWritten, keyText } from '../decisions/host-keys.ts';
import { hostSearch } from '../decisions/host-search.ts';
import { charactersOf } from '../decisions/host-size.ts';
import { briefHostAnswer, hostAnswer, hostSchema, inventorySchema } from '../host-schemas.ts';
import type { HostServices } from '../services.ts';
import { defineOperation } from '../services.ts';

/** Hosts that a search reads at a time. */
const BATCH_SIZE = 500;
/** Hosts that one call searches, so that it never takes more than some seconds; 100,000 take half a second on SQLite. */
const MAX_SEARCHED = 250_000;

export const archivedSchema = z
  .object({ at: z.string(), by: z.enum(['api', 'import', 'stale', 'operator']) })
  .nullable()
  .describe('Since when it is in the archive, and why; null while it is active');

const foundHostSchema = hostSchema.extend({
  inventory: inventorySchema.optional(),
  account: z.string().nullable(),
  object_type: z.string(),
  archived: archivedSchema,
});

/** For operators, by what they look for. `list-hosts` streams every active host as it is stored, for clients that read all of them. */
export const findHosts = defineOperation({
  name: 'hosts/find-hosts',
  title: 'Find hosts',
  description:
    'Hosts and objects by account, state, part of the hostname, a key or a label, including archived ones, with details for operators.',
  effect: 'read',
  roles: ['objects'],
  weight: 'heavy',
  at: { page: true },
  input: z.object({
    state: z.enum(['active', 'archived', 'any']).default('active'),
    kind: z.enum(['hosts', 'objects', 'all']).default('all'),
    account: z.string().optional().describe('Only those of this account'),
    search: z
      .string()
      .trim()
      .max(1000)
      .default('')
      .describe(
        'Part of the hostname, a key (serial=J4711), or label=value with * at either end of the value for anything',
      ),
    inventory: z.boolean().default(true).describe('False leaves the inventory sections out of the answer'),
    after: z.string().optional().describe('Continues after this hostname'),
    limit: z.coerce.number().int().min(1).max(1000).default(500),
  }),
  output: z.object({
    size: z.number().int().nullable().describe('How many there are in all; null for a search, which does not count'),
    next: z
      .string()
      .nullable()
      .describe('What to pass as `after` to continue; null at the end. A search may stop before its page is full'),
    hosts: z.array(foundHostSchema),
  }),
  async run({ account, search, inventory, ...input }, { services, caller, signal }) {
    const scope = account === undefined ? hostScopeOf(caller) : await scopeOfAccount(services, caller, account);
    const { hosts } = services.storage;
    const request = { filter: { scope, kind: input.kind, state: input.state }, after: input.after, limit: input.limit };
    const [size, found, accounts] = await Promise.all([
      search === '' ? hosts.count(request.filter) : null,
      search === '' ? page(hosts, request) : searched(services.storage, request, search, signal),
      services.accounts.list(null),
    ]);
    const names = new Map(accounts.map(({ id, name }) => [id, name]));
    return {
      size,
      next: found.next,
      hosts: found.hosts.map((host): z.infer<typeof foundHostSchema> => {
        const answer = inventory ? hostAnswer(host) : briefHostAnswer(host);
        return { ...answer, ...operatorMembers(host, names) };
      }),
    };
  },
});

interface FindRequest {
  readonly filter: HostFilter;
  readonly after: string | undefined;
  readonly limit: number;
}

interface Found {
  readonly hosts: readonly HostRecord[];
  readonly next: string | null;
}

async function page(hosts: HostStore, { filter, after, limit }: FindRequest): Promise<Found> {
  const found = await hosts.page({ filter, offset: 0, limit: limit + 1, ...(after === undefined ? {} : { after }) });
  const isCut = found.length <= limit && charactersOf(found) >= PAGE_CHARACTERS;
  return pageOf(found, limit, isCut ? (found.at(-1)?.hostname ?? null) : null);
}

async function searched(
  { hosts, marks }: Pick<Storage, 'hosts' | 'marks'>,
  { filter, after, limit }: FindRequest,
  search: string,
  signal: AbortSignal,
): Promise<Found> {
  const fits = hostSearch(search);
  const key = keyAsWritten(search);
  const known = new Set(key.ok ? (await marks.holders([keyText(key.value)])).map(({ hostname }) => hostname) : []);
  const found: HostRecord[] = [];
  let left = MAX_SEARCHED;
  for await (const batch of hosts.scan(filter, BATCH_SIZE, after)) {
    signal.throwIfAborted();
    for (const host of batch) if (known.has(host.hostname) || fits(host)) found.push(host);
    left -= batch.length;
    if (found.length > limit) break;
    if (left <= 0 || charactersOf(found) >= PAGE_CHARACTERS)
      return pageOf(found, limit, batch.at(-1)?.hostname ?? null);
  }
  return pageOf(found, limit, null);
}

/** `found` holds more than the page when there is more. */
function pageOf(found: readonly HostRecord[], limit: number, next: string | null): Found {
  const hosts = found.slice(0, limit);
  return { hosts, next: found.length > limit ? (hosts.at(-1)?.hostname ?? null) : next };
}

async function scopeOfAccount(services: HostServices, caller: Caller, name: string): Promise<HostScope> {
  const { id } = await services.accounts.inScope(name, caller.scope);
  return { accounts: [id], templates: caller.templates };
}

function operatorMembers(host: HostRecord, accounts: ReadonlyMap<string, string>) {
  return {
    account: host.accountId === null ? null : (accounts.get(host.accountId) ?? host.accountId),
    object_type: host.objectType,
    archived: archivedAnswer(host),
  };
}

export function archivedAnswer({ archive }: HostRecord): z.infer<typeof archivedSchema> {
  return archive === null ? null : { at: secondsOf(archive.at), by: archive.by };
}
