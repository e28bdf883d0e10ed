import * as z from 'zod';
import { columnNames } from '../../kernel/listing.ts';
import { isUnconfirmedAccount } from '../../rules/trust/pending.ts';
import { defineOperation } from '../services.ts';
import { METHOD_COLUMNS, methodSchema } from '../views/methods.ts';

export const listSignInMethods = defineOperation({
  name: 'logins/list-methods',
  title: 'Sign-in methods',
  description: 'Accounts for logging in with an identity of another system, and whether the login page offers them.',
  effect: 'read',
  roles: ['administrator'],
  weight: 'light',
  at: {
    rest: { path: 'GET /sign-in/methods' },
    command: {
      words: 'sign-in list',
      description: 'List the accounts for logging in with an identity of another system.',
      summary: 'list the ways to log in other than passwords of this service',
      columns: columnNames(METHOD_COLUMNS),
      json: 'answer a JSON array of methods',
      answered: ({ methods }) => methods,
      examples: ['muster sign-in list'],
      view: ({ methods }, print) =>
        print.table(methods, METHOD_COLUMNS, 'People log in only with a user name and password of this service.'),
    },
    page: true,
  },
  input: z.object({}),
  output: z.object({ methods: z.array(methodSchema) }),
  async run(_input, { services }) {
    const offered = await services.signIns.offered();
    const methods = (await services.signIns.accounts()).map((account) => {
      const shown = offered.find(({ name }) => name === account.name);
      return {
        name: account.name,
        type: account.type,
        label: shown?.label ?? '',
        enabled: account.enabled,
        waits: isUnconfirmedAccount(account),
        offered: shown !== undefined,
      };
    });
    return { methods };
  },
});
