import * as z from 'zod';
import { hostScopeOf } from '../../kernel/caller.ts';
import { secondName } from '../../kernel/operation.ts';
import { bulkNames, namesWith } from '../bulk-names.ts';
import { hostnameSchema } from '../host-schemas.ts';
import { defineOperation } from '../services.ts';
import { unknownHost } from './get-host.ts';

export const archiveHosts = defineOperation({
  name: 'hosts/archive-hosts',
  title: 'Archive hosts as operator',
  description: 'Archives hosts so that no import or API write brings them back; only an operator restores them.',
  effect: 'destructive',
  roles: ['objects'],
  weight: 'light',
  at: { page: true },
  input: z.object({ hostnames: bulkNames }),
  output: z.object({
    archived: z.array(z.string()).describe('The hosts that were active, and are archived now'),
    not_found: z.array(z.string()).describe('Those that are unknown, or in the archive already'),
  }),
  subject: ({ hostnames }) => namesWith(hostnames),
  async run({ hostnames }, { services, caller }) {
    const outcomes = await services.storage.hosts.archive({
      hostnames,
      by: 'operator',
      at: services.clock.now(),
      scope: hostScopeOf(caller),
      actor: { kind: 'user', name: caller.name },
    });
    return {
      archived: hostnames.filter((_, place) => outcomes[place] === 'archived'),
      not_found: hostnames.filter((_, place) => outcomes[place] !== 'archived'),
    };
  },
});

export const archiveHost = secondName(archiveHosts, {
  name: 'hosts/archive-host',
  title: 'Archive host as operator',
  description: 'Archives a host so that no import or API write brings it back; only an operator restores it.',
  at: { page: true },
  input: z.object({ hostname: hostnameSchema }),
  output: z.object({ status: z.literal('archived'), hostname: z.string() }),
  subject: ({ hostname }) => hostname,
  becomes: ({ hostname }) => ({ hostnames: [hostname] }),
  answers({ archived }, { hostname }) {
    if (archived.length === 0) throw unknownHost(hostname);
    return { status: 'archived' as const, hostname };
  },
});
