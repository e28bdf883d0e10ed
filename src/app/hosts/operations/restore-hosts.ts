import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import { secondName } from '../../kernel/operation.ts';
import { bulkNames, namesWith } from '../bulk-names.ts';
import { hostnameSchema } from '../host-schemas.ts';
import { defineOperation } from '../services.ts';

export const restoreHosts = defineOperation({
  name: 'hosts/restore-hosts',
  title: 'Restore hosts',
  description: 'Restores archived hosts as they were.',
  effect: 'write',
  roles: ['objects'],
  weight: 'light',
  at: { page: true },
  input: z.object({ hostnames: bulkNames }),
  output: z.object({
    restored: z.array(z.string()).describe('The hosts that were in the archive, and are active now'),
    not_found: z.array(z.string()).describe('Those that are unknown, or active already'),
  }),
  subject: ({ hostnames }) => namesWith(hostnames),
  async run({ hostnames }, { services, caller }) {
    const outcomes = await services.storage.hosts.restore({
      hostnames,
      at: services.clock.now(),
      scope: hostScopeOf(caller),
      actor: { kind: 'user', name: caller.name },
    });
    return {
      restored: hostnames.filter((_, place) => outcomes[place] === 'restored'),
      not_found: hostnames.filter((_, place) => outcomes[place] !== 'restored'),
    };
  },
});

export const restoreHost = secondName(restoreHosts, {
  name: 'hosts/restore-host',
  title: 'Restore host',
  description: 'Restores an archived host as it was.',
  at: { page: true },
  input: z.object({ hostname: hostnameSchema }),
  output: z.object({ status: z.literal('restored'), hostname: z.string() }),
  subject: ({ hostname }) => hostname,
  becomes: ({ hostname }) => ({ hostnames: [hostname] }),
  answers({ restored }, { hostname }) {
    if (restored.length > 0) return { status: 'restored' as const, hostname };
    throw new AppError(
      'not_found',
      worded`host ${{ hostname }} is not in the archive; see "muster host list --archived"`,
    );
  },
});
