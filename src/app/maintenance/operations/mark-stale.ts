import * as z from 'zod';
import { accountNameSchema } from '../../accounts/operations/show-account.ts';
import { archiveStaleHosts, countStaleHosts, staleByConfiguration } from '../../hosts/stale-hosts.ts';
import { defineOperation } from '../services.ts';
import { staleBySourceAccount } from '../stale-by-account.ts';

export const markStale = defineOperation({
  name: 'hosts/mark-stale',
  title: 'Archive stale hosts',
  description:
    'Archives the hosts that no import or client has seen for STALE_DAYS; with 0 none. With an account, those of its hosts that were not seen for its stale_after_days, if its auto_archive_when_stale says so.',
  effect: 'destructive',
  roles: ['admin'],
  weight: 'light',
  at: {},
  input: z.object({ account: accountNameSchema.optional() }),
  output: z.object({
    archived: z.number().int(),
    days: z.number().int().describe('STALE_DAYS, or stale_after_days of the account'),
    stale: z.number().int().optional().describe('Stale hosts of an account that archives none of them'),
  }),
  async run({ account: name }, { services, caller }) {
    services.clockWatch.requireTrust();
    if (name === undefined) {
      const stale = staleByConfiguration(services);
      return { archived: (await archiveStaleHosts(services, caller, stale)).archived, days: stale.days };
    }
    const stale = staleBySourceAccount(await services.accounts.inScope(name, caller.scope));
    if (!stale.archives) return { archived: 0, days: stale.days, stale: await countStaleHosts(services, stale) };
    return { archived: (await archiveStaleHosts(services, caller, stale)).archived, days: stale.days };
  },
});
