import * as z from 'zod';
import { hostnameSchema } from '../../hosts/host-schemas.ts';
import { unknownHost } from '../../hosts/operations/get-host.ts';
import { defineOperation } from '../../hosts/services.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import { relationLabel, requireCmdbMode, withoutCmdbMode } from '../relation-types.ts';

/** Approximate size of an edge as JSON. */
const EDGE_CHARACTERS = 128;

const edge = z.object({ type: z.string(), type_label: z.string(), target: z.string(), source: z.string() });

export const listRelations = defineOperation({
  name: 'relations/list-relations',
  title: 'Relations of a host',
  description: 'Outgoing edges of a host, and edges of other hosts that lead to it.',
  effect: 'read',
  roles: ['objects'],
  weight: 'light',
  at: {
    rest: { path: 'GET /objects/:hostname/relations', errors: ['not_found'], missing: withoutCmdbMode },
    page: true,
  },
  input: z.object({ hostname: hostnameSchema }),
  output: z.object({ hostname: z.string(), outgoing: z.array(edge), inbound: z.array(edge) }),
  async run({ hostname }, { services, caller, holds }) {
    requireCmdbMode(services.config);
    const relations = await services.storage.relations.list(hostname, hostScopeOf(caller));
    if (relations === undefined) throw unknownHost(hostname);
    holds((relations.outgoing.length + relations.inbound.length) * EDGE_CHARACTERS);
    return {
      hostname,
      outgoing: relations.outgoing.map(({ type, target, source }) => ({
        type,
        type_label: relationLabel(type, 'outgoing'),
        target,
        source,
      })),
      inbound: relations.inbound.map(({ type, hostname: other, source }) => ({
        type,
        type_label: relationLabel(type, 'inbound'),
        target: other,
        source,
      })),
    };
  },
});
