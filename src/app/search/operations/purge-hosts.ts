import * as z from 'zod';
import { phrase, worded } from '../../../kit/worded.ts';
import { AppError, type HostScope } from '../../../ports/index.ts';
import { bulkNames, namesWith } from '../../hosts/bulk-names.ts';
import { inScope } from '../../hosts/decisions/scope.ts';
import { deleteForGood } from '../../hosts/delete-for-good.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import { leftOutSchema, openSearch, type SearchCall } from '../open-search.ts';
import { searchInput } from '../search-input.ts';
import { defineOperation } from '../services.ts';

/** One call of the store is one atomic unit, which others wait for. */
const AT_ONCE = 500;
const MOST_NAMED = 1000;

const purgeInput = searchInput
  .pick({ where: true, kind: true, account: true, provider: true })
  .extend({
    where: searchInput.shape.where.removeDefault().optional().describe('Which hosts: those that the query finds'),
    hostnames: bulkNames.optional().describe('Which hosts: by their names, instead of a query'),
    include_active: z.boolean().default(false).describe('Also those that are active; else the archive only'),
    dry_run: z.boolean().default(false).describe('Only say which hosts these are'),
    expected: z
      .number()
      .int()
      .min(0)
      .optional()
      .describe('How many you have seen that these are: where they are more or fewer by now, nothing is deleted'),
  })
  .refine(({ where, hostnames }) => (where === undefined || where === '') !== (hostnames === undefined), {
    message: phrase`say which hosts, either with where or with hostnames`,
    path: ['where'],
  });

type PurgeInput = z.output<typeof purgeInput>;

export const purgeHosts = defineOperation({
  name: 'search/purge-hosts',
  title: 'Delete hosts for good',
  description:
    'Deletes hosts for good, with history and relations: those that a query finds in the archive, or those that are named. This cannot be undone. A dry run names and counts them.',
  effect: 'destructive',
  roles: ['objects'],
  weight: 'heavy',
  at: {
    // No tool: nothing brings these hosts back, so a person decides it.
    rest: { path: 'POST /objects/purge', body: 'required', errors: ['conflict'] },
    page: true,
  },
  input: purgeInput,
  output: z.object({
    status: z.enum(['preview', 'purged']),
    hosts: z.number().int().describe('How many were, or would be deleted'),
    active: z.number().int().describe('How many of them are or were active'),
    hostnames: z.array(z.string()).describe(`Their names, at most ${MOST_NAMED}`),
    not_found: z.array(z.string()).describe('Named hosts that are unknown, or not in the archive'),
    left_out: leftOutSchema,
  }),
  subject: ({ hostnames, where }) => (hostnames === undefined ? (where ?? '') : namesWith(hostnames)),
  async run({ dry_run: isDry, expected, ...which }, { services, caller, signal, progress }) {
    const leftOut = new Set<string>();
    const { names, active, missing } = await whichHosts(which, { services, caller, signal, leftOut });
    const left = leftOut.size > 0 && { left_out: [...leftOut] };
    const answer = { active: active.size, hostnames: names.slice(0, MOST_NAMED), not_found: [...missing], ...left };
    if (isDry) return { status: 'preview' as const, hosts: names.length, ...answer };
    if (expected !== undefined && expected !== names.length) {
      throw new AppError(
        'conflict',
        names.length === 1
          ? worded`this is 1 host by now, and not ${{ expected: String(expected) }}; look at it again`
          : worded`these are ${{ count: names.length }} hosts by now, and not ${{ expected: String(expected) }}; look at them again`,
      );
    }
    const { hosts } = services.storage;
    const scope = hostScopeOf(caller);
    const actor = { kind: 'user', name: caller.name } as const;
    const gone: string[] = [];
    for (let start = 0; start < names.length; start += AT_ONCE) {
      signal.throwIfAborted();
      const hostnames = names.slice(start, start + AT_ONCE);
      const portion = { hostnames, active: hostnames.filter((name) => active.has(name)), scope, actor };
      gone.push(...(await deleteForGood({ hosts, clock: services.clock }, portion)));
      progress({ done: start + hostnames.length, total: names.length, unit: 'hosts' });
    }
    const isGone = new Set(gone);
    return {
      status: 'purged' as const,
      hosts: gone.length,
      active: [...active].filter((name) => isGone.has(name)).length,
      hostnames: gone.slice(0, MOST_NAMED),
      not_found: [...missing, ...names.filter((name) => !isGone.has(name))],
      ...left,
    };
  },
});

interface Which {
  readonly names: readonly string[];
  readonly active: ReadonlySet<string>;
  readonly missing: readonly string[];
}

/** All of them are known before the first is deleted. */
async function whichHosts(
  { where = '', hostnames, include_active: isAny, ...request }: Omit<PurgeInput, 'dry_run' | 'expected'>,
  call: Omit<SearchCall, 'operation'>,
): Promise<Which> {
  const names: string[] = [];
  const active = new Set<string>();
  function take(hostname: string, isActive: boolean): boolean {
    if (isActive && !isAny) return false;
    names.push(hostname);
    if (isActive) active.add(hostname);
    return true;
  }
  if (hostnames !== undefined) {
    const missing = await takeNamed(hostnames, call, take);
    return { names, active, missing };
  }
  const search = await openSearch(
    { ...request, where, state: isAny ? 'any' : 'archived' },
    { ...call, operation: 'search/purge-hosts' },
  );
  for await (const { hosts } of search.found(undefined)) {
    for (const { hostname, archive } of hosts) take(hostname, archive === null);
  }
  return { names, active, missing: [] };
}

async function takeNamed(
  hostnames: readonly string[],
  { services, caller }: Pick<SearchCall, 'services' | 'caller'>,
  take: (hostname: string, isActive: boolean) => boolean,
): Promise<readonly string[]> {
  const scope: HostScope = hostScopeOf(caller);
  const records = await services.storage.hosts.findEach(hostnames);
  return hostnames.filter((hostname, place) => {
    const host = records[place];
    return host === undefined || !inScope(host, scope) || !take(hostname, host.archive === null);
  });
}
