import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import { hostnameSchema } from '../../hosts/host-schemas.ts';
import { unknownHost } from '../../hosts/operations/get-host.ts';
import { defineOperation } from '../../hosts/services.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import { provenanceSchema, relationTypeSchema, requireCmdbMode, withoutCmdbMode } from '../relation-types.ts';

export const addRelation = defineOperation({
  name: 'relations/add-relation',
  title: 'Add relation',
  description: 'Adds an edge from a host to another one.',
  effect: 'write',
  roles: ['objects'],
  weight: 'light',
  at: {
    rest: {
      path: 'POST /objects/:hostname/relations',
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
    source: provenanceSchema.default('manual'),
  }),
  output: z.object({ status: z.enum(['added', 'unchanged']) }),
  subject: (input) => input.hostname,
  async run({ hostname, type, target, source }, { services, caller }) {
    requireCmdbMode(services.config);
    if (target === hostname) {
      throw new AppError(
        'invalid_input',
        worded`host ${{ hostname }} cannot have a relation to itself; name another target`,
      );
    }
    const outcome = await services.storage.relations.add({ hostname, type, target, source }, hostScopeOf(caller));
    if (outcome === 'source_not_found') throw unknownHost(hostname);
    if (outcome === 'target_not_found') throw unknownHost(target);
    return { status: outcome };
  },
});
