import * as z from 'zod';
import { columnNames } from '../../kernel/listing.ts';
import { secondName } from '../../kernel/operation.ts';
import { knownCaller } from '../own-document.ts';
import { requireUser, userNameSchema } from '../require-user.ts';
import { defineOperation } from '../services.ts';
import { tokenAnswer, tokenSchema } from '../user-answer.ts';
import { TOKEN_COLUMNS, tokensView } from '../views/tokens.ts';

export const listTokens = defineOperation({
  name: 'users/list-tokens',
  title: 'API tokens',
  description: 'Tokens of a user with prefix, label, expiry and last use; never the token itself.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'user token list',
      description: 'List the tokens of a user: prefix, label, end and last use.',
      arguments: { name: { shown: '<name>', description: 'name of the user' } },
      columns: columnNames(TOKEN_COLUMNS),
      json: 'answer a JSON array of tokens',
      answered: ({ tokens }) => tokens,
      examples: ['muster user token list olga'],
      view: tokensView,
    },
    page: true,
  },
  input: z.object({ name: userNameSchema }),
  output: z.object({
    tokens: z.array(tokenSchema),
    default_days: z.number().int().describe('After how many days a new one expires by default'),
  }),
  async run({ name }, { services }) {
    const user = await requireUser(services, name);
    const uses = await services.storage.access.tokenUses(user.tokens.map((token) => token.hash));
    return {
      tokens: user.tokens.map((token) => tokenAnswer(token, uses.get(token.hash))),
      default_days: services.config.TOKEN_DEFAULT_DAYS,
    };
  },
});

export const listOwnTokens = secondName(listTokens, {
  name: 'users/list-own-tokens',
  title: 'Own API tokens',
  description:
    'API tokens of the caller, never the tokens themselves, and what a new one may carry. Every user may ask.',
  roles: 'decided-by-operation',
  at: { page: true },
  input: z.object({}),
  as: knownCaller,
  becomes: (_, { name }) => ({ name }),
});
