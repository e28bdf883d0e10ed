import * as z from 'zod';
import type { HostScope, RelationRecord, Storage } from '../../../ports/index.ts';
import { hostnameSchema } from '../../hosts/host-schemas.ts';
import { unknownHost } from '../../hosts/operations/get-host.ts';
import { defineOperation } from '../../hosts/services.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import { relationLabel, requireCmdbMode, withoutCmdbMode } from '../relation-types.ts';

const MOST_EDGES = 500;
const MOST_HOPS = 8;

export const showGraph = defineOperation({
  name: 'relations/show-graph',
  title: 'Graph of relations',
  description: 'The hosts that are related to a host over some steps, and the edges between them.',
  effect: 'read',
  roles: ['objects'],
  weight: 'light',
  at: {
    rest: {
      path: 'GET /objects/:hostname/graph',
      query: ['hops', 'limit'],
      errors: ['not_found'],
      missing: withoutCmdbMode,
    },
    page: true,
  },
  input: z.object({
    hostname: hostnameSchema,
    hops: z.coerce.number().int().min(1).max(MOST_HOPS).default(2).describe('How many steps away hosts may be'),
    limit: z.coerce.number().int().min(1).max(MOST_EDGES).default(MOST_EDGES).describe('Edges at most'),
  }),
  output: z.object({
    hostname: z.string(),
    nodes: z.array(z.object({ hostname: z.string(), hop: z.number().int().describe('Steps from the host') })),
    edges: z.array(
      z.object({ from: z.string(), type: z.string(), type_label: z.string(), to: z.string(), source: z.string() }),
    ),
    more: z.boolean().describe('True if there are more edges than these'),
  }),
  async run({ hostname, hops, limit }, { services, caller }) {
    requireCmdbMode(services.config);
    const scope = hostScopeOf(caller);
    if ((await services.storage.hosts.get(hostname, scope)) === undefined) throw unknownHost(hostname);
    const hopOf = new Map([[hostname, 0]]);
    const edges = new Map<string, RelationRecord>();
    let more = false;
    for (let hop = 1; hop <= hops; hop++) {
      const border = [...hopOf].filter(([, at]) => at === hop - 1).map(([name]) => name);
      // One more than fits, to find out whether there are more.
      for (const edge of await shownAround(services.storage, border, scope, limit + 1)) {
        const key = JSON.stringify([edge.hostname, edge.type, edge.target]);
        if (!edges.has(key) && edges.size === limit) {
          more = true;
          break;
        }
        edges.set(key, edge);
        for (const end of [edge.hostname, edge.target]) if (!hopOf.has(end)) hopOf.set(end, hop);
      }
    }
    return {
      hostname,
      nodes: [...hopOf].map(([name, hop]) => ({ hostname: name, hop })),
      edges: [...edges.values()].map(({ hostname: from, type, target: to, source }) => ({
        from,
        type,
        type_label: relationLabel(type, 'outgoing'),
        to,
        source,
      })),
      more,
    };
  },
});

/**
 * Edges at these hosts between active hosts in reach; if there are more than `limit`, at least this many. Hidden ones do not count,
 * so the store is asked for more while they take the place of others.
 */
async function shownAround(
  { hosts, relations }: Pick<Storage, 'hosts' | 'relations'>,
  hostnames: readonly string[],
  scope: HostScope,
  limit: number,
): Promise<readonly RelationRecord[]> {
  for (let asked = limit; ; asked *= 4) {
    const found = await relations.around(hostnames, asked);
    const visible = await hosts.visible([...new Set(found.flatMap((edge) => [edge.hostname, edge.target]))], scope);
    const shown = found.filter((edge) => visible.has(edge.hostname) && visible.has(edge.target));
    if (shown.length >= limit || found.length < asked) return shown;
  }
}
