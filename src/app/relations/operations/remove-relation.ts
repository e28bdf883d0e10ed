import * as z from 'zod';
import { hostnameSchema } from '../../hosts/host-schemas.ts';
import { unknownHost } from '../../hosts/operations/get-host.ts';
import { defineOperation } from '../../hosts/services.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import { relationTypeSchema, requireCmdbMode, withoutCmdbMode } from '../relation-types.ts';

export const removeRelation = defineOperation({
  name: 'relations/remove-relation',
  title: 'Remove relation',
  description: 'Removes the relation of that type and target, no matter who created it.',
  effect: 'destructive',
  roles: ['objects'],
  weight: 'light',
  at: {
    rest: {
      path: 'DELETE /objects/:hostname/relations',
      body: 'required',
      errors: ['not_found'],
      missing: withoutCmdbMode,
    },
    page: true,
  },
  input: z.object({
    hostname: hostnameSchema,
    type: relationTypeSchema,
    target: z.string().trim().min(1).describe('Hostname at the other end'),
  }),
  output: z.object({ status: z.enum(['removed', 'unchanged']) }),
  subject: (input) => input.hostname,
  async run({ hostname, type, target }, { services, caller }) {
    requireCmdbMode(services.config);
    const outcome = await services.storage.relations.remove({ hostname, type, target }, hostScopeOf(caller));
    if (outcome === 'source_not_found') throw unknownHost(hostname);
    if (outcome === 'target_not_found') throw unknownHost(target);
    return { status: outcome };
  },
});
