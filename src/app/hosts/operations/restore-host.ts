import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import { hostnameSchema } from '../host-schemas.ts';
import { defineOperation } from '../services.ts';

export const restoreHost = defineOperation({
  name: 'hosts/restore-host',
  title: 'Restore host',
  description: 'Restores an archived host as it was.',
  effect: 'write',
  roles: ['objects'],
  weight: 'light',
  at: { page: true },
  input: z.object({ hostname: hostnameSchema }),
  output: z.object({ status: z.literal('restored'), hostname: z.string() }),
  subject: (input) => input.hostname,
  async run({ hostname }, { services, caller }) {
    const [outcome] = await services.storage.hosts.restore({
      hostnames: [hostname],
      at: services.clock.now(),
      scope: hostScopeOf(caller),
      actor: { kind: 'user', name: caller.name },
    });
    if (outcome !== 'restored') {
      throw new AppError(
        'not_found',
        worded`host ${{ hostname }} is not in the archive; see "muster host list --archived"`,
      );
    }
    return { status: 'restored' as const, hostname };
  },
});
