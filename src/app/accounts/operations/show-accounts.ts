import * as z from 'zod';
import { ownedByAccount } from '../../hosts/host-counts.ts';
import { columnNames } from '../../kernel/listing.ts';
import {
  accountSummarySchema,
  incompleteByAccount,
  incompleteSchema,
  kindSchema,
  lastRunOf,
  lastRunSchema,
  undoneOf,
  undoneSchema,
} from '../account-answer.ts';
import { accountKind } from '../account-types.ts';
import { defineOperation } from '../services.ts';
import { ACCOUNT_COLUMNS, accountsView, listedAccount } from '../views/accounts.ts';

export const showAccounts = defineOperation({
  name: 'accounts/show-accounts',
  title: 'Accounts with hosts and runs',
  description: 'All accounts that the caller may reach, each with how many hosts it owns and how its last run ended.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'account list',
      description: 'List the accounts.',
      columns: columnNames(ACCOUNT_COLUMNS),
      json: 'answer a JSON array of accounts',
      answered: ({ accounts }) => accounts.map(listedAccount),
      examples: ['muster account list', 'muster account list --json'],
      view: ({ accounts }, print) => accountsView(accounts.map(listedAccount), print),
    },
    page: true,
  },
  input: z.object({}),
  output: z.object({
    accounts: z.array(
      accountSummarySchema.extend({
        kind: kindSchema,
        is_object: z.boolean(),
        contributes: z.boolean().describe('Its import only adds to hosts that other accounts own'),
        hosts: z.number().int().describe('Active hosts and objects that the account owns'),
        last_run: lastRunSchema,
        undone: undoneSchema,
        incomplete: incompleteSchema,
      }),
    ),
  }),
  async run(_input, { services, caller }) {
    const [accounts, owned, newest] = await Promise.all([
      services.accounts.list(caller.scope),
      ownedByAccount(services),
      services.storage.logs.newestBySource(),
    ]);
    const entries = new Map(newest.map((entry) => [entry.source, entry]));
    const shown = accounts.map(({ id, name, type, enabled, isObject, fields }) => ({
      name,
      type,
      enabled,
      kind: accountKind(services, type),
      is_object: isObject,
      contributes: fields.get('mode')?.value === 'contribute' || fields.get('fills')?.value === 'section',
      hosts: owned.get(id) ?? 0,
      last_run: lastRunOf(name, caller, (source) => entries.get(source)),
    }));
    const incomplete = await incompleteByAccount(services, shown, caller);
    return {
      accounts: shown.map((account) => ({
        ...account,
        undone: undoneOf(account.name, account.last_run),
        incomplete: incomplete.get(account.name) ?? null,
      })),
    };
  },
});
