import * as z from 'zod';
import type { RelationRecord } from '../../../ports/index.ts';
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
    const { hosts, relations } = services.storage;
    const scope = hostScopeOf(caller);
    if ((await hosts.get(hostname, scope)) === undefined) throw unknownHost(hostname);
    const hopOf = new Map([[hostname, 0]]);
    const edges = new Map<string, RelationRecord>();
    let more = false;
    for (let hop = 1; hop <= hops; hop++) {
      const border = [...hopOf].filter(([, at]) => at === hop - 1).map(([name]) => name);
      // One more than fits, to find out whether there are more.
      const found = await relations.around(border, limit + 1);
      const ends = [...new Set(found.flatMap((edge) => [edge.hostname, edge.target]))];
      const visible = await hosts.visible(ends, scope);
      if (found.length > limit) more = true;
      for (const edge of found) {
        if (!visible.has(edge.hostname) || !visible.has(edge.target)) continue;
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
