import * as z from 'zod';
import type { AccountScope, HostRecord } from '../../../ports/index.ts';
import { secondsOf } from '../../domain/time.ts';
import type { Caller } from '../../execution/caller.ts';
import { defineOperation } from '../../execution/operation.ts';
import { hostAnswer, hostSchema } from '../../schemas.ts';
import type { Services } from '../../services.ts';
import { requireAccount } from '../accounts/show-account.ts';

export const findHosts = defineOperation({
  name: 'hosts/find-hosts',
  title: 'Find hosts',
  description: 'Hosts and objects by account and state, archived ones too, with what operators want to know of them.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  input: z.object({
    state: z.enum(['active', 'archived', 'any']).default('active'),
    kind: z.enum(['hosts', 'objects', 'all']).default('all'),
    account: z.string().optional().describe('Only those of this account'),
    after: z.string().optional().describe('Continues behind this hostname'),
    limit: z.coerce.number().int().min(1).max(1000).default(500),
  }),
  output: z.object({
    size: z.number().int().describe('How many there are in all'),
    hosts: z.array(
      hostSchema.extend({
        account: z.string().nullable(),
        object_type: z.string(),
        archived: z.object({ at: z.string(), by: z.enum(['api', 'import', 'stale', 'operator']) }).nullable(),
      }),
    ),
  }),
  async run({ state, kind, account, after, limit }, { services, caller }) {
    const scope = account === undefined ? caller.scope : await scopeOfAccount(services, caller, account);
    const filter = { scope, kind, state } as const;
    const { hosts } = services.storage;
    const [size, page, accounts] = await Promise.all([
      hosts.count(filter),
      hosts.page({ filter, offset: 0, limit, ...(after === undefined ? {} : { after }) }),
      services.accounts.list(null),
    ]);
    const names = new Map(accounts.map(({ id, name }) => [id, name]));
    return { size, hosts: page.map((host) => ({ ...hostAnswer(host), ...operatorMembers(host, names) })) };
  },
});

async function scopeOfAccount(services: Services, caller: Caller, name: string): Promise<AccountScope> {
  return [(await requireAccount(services, caller, name)).id];
}

function operatorMembers(host: HostRecord, accounts: ReadonlyMap<string, string>) {
  return {
    account: host.accountId === null ? null : (accounts.get(host.accountId) ?? host.accountId),
    object_type: host.objectType,
    archived: host.archive === null ? null : { at: secondsOf(host.archive.at), by: host.archive.by },
  };
}
