import * as z from 'zod';
import { hostScopeOf } from '../../kernel/caller.ts';
import { hostnameSchema } from '../host-schemas.ts';
import { defineOperation } from '../services.ts';
import { unknownHost } from './get-host.ts';

export const archiveHost = defineOperation({
  name: 'hosts/archive-host',
  title: 'Archive host as operator',
  description: 'Archives a host so that no import or API write brings it back; only an operator restores it.',
  effect: 'destructive',
  roles: ['objects'],
  weight: 'light',
  at: { page: true },
  input: z.object({ hostname: hostnameSchema }),
  output: z.object({ status: z.literal('archived'), hostname: z.string() }),
  subject: (input) => input.hostname,
  async run({ hostname }, { services, caller }) {
    const [outcome] = await services.storage.hosts.archive({
      hostnames: [hostname],
      by: 'operator',
      at: services.clock.now(),
      scope: hostScopeOf(caller),
      actor: { kind: 'user', name: caller.name },
    });
    if (outcome !== 'archived') throw unknownHost(hostname);
    return { status: 'archived' as const, hostname };
  },
});
