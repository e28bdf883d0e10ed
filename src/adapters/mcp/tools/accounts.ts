import * as z from 'zod';
import { getAccount } from '../../../app/operations/accounts/get-account.ts';
import { listAccounts } from '../../../app/operations/accounts/list-accounts.ts';
import { type Tool, tool } from '../tool.ts';

export const accountTools: readonly Tool[] = [
  tool(listAccounts, {
    name: 'list_accounts',
    input: z.strictObject({}),
    output: listAccounts.output,
    run: (input, call) => call.value(listAccounts, input),
  }),
  tool(getAccount, {
    name: 'get_account',
    description:
      'The full record of one account WITH ITS PASSWORD AND SECRET OPTIONS IN CLEAR: treat the answer as secret, and never repeat it. Every call is logged. list_accounts shows what there is without secrets.',
    input: z.strictObject({ name: z.string().min(1).describe('Name of the account') }),
    output: getAccount.output,
    run: (input, call) => call.value(getAccount, input),
  }),
];
