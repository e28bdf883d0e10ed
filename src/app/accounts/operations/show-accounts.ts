import * as z from 'zod';
import { accountSummarySchema, kindSchema, lastRunOf, lastRunSchema } from '../account-answer.ts';
import { accountKind } from '../account-types.ts';
import { defineOperation } from '../services.ts';

export const showAccounts = defineOperation({
  name: 'accounts/show-accounts',
  title: 'Accounts with hosts and runs',
  description: 'All accounts that the caller may reach, each with how many hosts it owns and how its last run ended.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  at: { page: true },
  input: z.object({}),
  output: z.object({
    accounts: z.array(
      accountSummarySchema.extend({
        kind: kindSchema,
        is_object: z.boolean(),
        hosts: z.number().int().describe('Active hosts and objects that the account owns'),
        last_run: lastRunSchema,
      }),
    ),
  }),
  async run(_input, { services, caller }) {
    const [accounts, owned, newest] = await Promise.all([
      services.accounts.list(caller.scope),
      services.storage.hosts.countOwnedByAccount(),
      services.storage.logs.newestBySource(),
    ]);
    const entries = new Map(newest.map((entry) => [entry.source, entry]));
    return {
      accounts: accounts.map(({ id, name, type, enabled, isObject }) => ({
        name,
        type,
        enabled,
        kind: accountKind(services, type),
        is_object: isObject,
        hosts: owned.get(id) ?? 0,
        last_run: lastRunOf(name, (source) => entries.get(source)),
      })),
    };
  },
});
