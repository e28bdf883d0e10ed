import * as z from 'zod';
import { ownUser } from '../own-document.ts';
import { defineOperation } from '../services.ts';
import { tokenAnswer, tokenSchema } from '../user-answer.ts';

export const listOwnTokens = defineOperation({
  name: 'users/list-own-tokens',
  title: 'Own API tokens',
  description:
    'API tokens of the caller, never the tokens themselves, and what a new one may carry. Every user may ask.',
  effect: 'read',
  roles: 'decided-by-operation',
  weight: 'light',
  at: { page: true },
  input: z.object({}),
  output: z.object({
    tokens: z.array(tokenSchema),
    default_days: z.number().int().describe('After how many days a new one expires by default'),
  }),
  async run(_input, { services, caller }) {
    const { tokens } = await ownUser(services, caller);
    const uses = await services.storage.access.tokenUses(tokens.map(({ hash }) => hash));
    return {
      tokens: tokens.map((token) => tokenAnswer(token, uses.get(token.hash))),
      default_days: services.config.TOKEN_DEFAULT_DAYS,
    };
  },
});
