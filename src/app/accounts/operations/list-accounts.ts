import * as z from 'zod';
import { wholeAccountsOf } from '../../kernel/caller.ts';
import { accountSummarySchema } from '../account-answer.ts';
import { defineOperation } from '../services.ts';

/** For callers who may write hosts or rules. `show-accounts` adds the counts and runs, which are for administrators. */
export const listAccounts = defineOperation({
  name: 'accounts/list-accounts',
  title: 'Accounts',
  description: 'All accounts that the caller may reach, with their type and whether they are enabled.',
  effect: 'read',
  roles: ['objects', 'rules'],
  weight: 'light',
  at: {
    tool: { name: 'list_accounts' },
    page: true,
  },
  input: z.object({}),
  output: z.object({ accounts: z.array(accountSummarySchema) }),
  async run(_input, { services, caller }) {
    const accounts = await services.accounts.list(wholeAccountsOf(caller));
    return { accounts: accounts.map(({ name, type, enabled }) => ({ name, type, enabled })) };
  },
});
