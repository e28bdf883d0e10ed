import * as z from 'zod';
import { hostScopeOf } from '../../kernel/caller.ts';
import { hostnameSchema } from '../host-schemas.ts';
import { defineOperation } from '../services.ts';
import { unknownHost } from './get-host.ts';

export const deleteHost = defineOperation({
  name: 'hosts/delete-host',
  title: 'Delete host',
  description: 'Archives a host and gives back the seat that it holds in a monitoring-folder pool.',
  effect: 'destructive',
  roles: ['objects'],
  weight: 'light',
  at: {
    rest: { path: 'DELETE /objects/:hostname', errors: ['not_found'] },
    tool: { name: 'delete_host', idempotent: true },
  },
  input: z.object({ hostname: hostnameSchema }),
  output: z.object({ status: z.literal('deleted') }),
  subject: (input) => input.hostname,
  async run({ hostname }, { services, caller }) {
    const [outcome] = await services.storage.hosts.archive({
      hostnames: [hostname],
      by: 'api',
      at: services.clock.now(),
      scope: hostScopeOf(caller),
      actor: { kind: 'user', name: caller.name },
    });
    if (outcome !== 'archived') throw unknownHost(hostname);
    return { status: 'deleted' as const };
  },
});
