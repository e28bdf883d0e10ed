import { secondName } from '../../kernel/operation.ts';
import { issuedTokenSchema, issueToken, MOST_DAYS, tokenRequestSchema } from '../issue-token.ts';
import { ownWriterFor } from '../own-document.ts';
import { requireUser, userNameSchema } from '../require-user.ts';
import { defineOperation } from '../services.ts';
import { newTokenView } from '../views/tokens.ts';

export const createToken = defineOperation({
  name: 'users/create-token',
  title: 'Create API token',
  description: 'Creates a personal API token of a user. The token is shown once and kept only as a hash.',
  effect: 'write',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'user token create',
      description: 'Create an API token for a user and print it. It is shown only once.',
      arguments: { name: { shown: '<name>', description: 'name of the user' } },
      options: {
        label: { flags: '--label <text>', description: 'what the token is for', required: true },
        expires_days: {
          flags: '--expires-days <n>',
          description: 'days until it ends, 0 or never for no end; without it as TOKEN_DEFAULT_DAYS says',
          parse: { from: 0, to: MOST_DAYS, zero: 'never' },
        },
        roles: {
          flags: '--role <role>',
          description: 'carry this role of the user only (may be repeated)',
          parse: 'list',
        },
        accounts: {
          flags: '--account <name>',
          description: 'reach this account only (may be repeated)',
          parse: 'list',
        },
        templates: {
          flags: '--template <name>',
          description: 'reach hosts of this template only (may be repeated)',
          parse: 'list',
        },
        read_only: { flags: '--read-only', description: 'refuse everything that changes data' },
      },
      json: 'answer the token as JSON',
      examples: [
        'muster user token create olga --label ci --expires-days 90',
        'muster user token create olga --label controller --role automation --read-only',
      ],
      view: newTokenView,
    },
    page: true,
  },
  input: tokenRequestSchema.extend({ name: userNameSchema }),
  output: issuedTokenSchema,
  subject: ({ name, label }) => `${name} ${label}`,
  run: async ({ name, ...input }, { services, caller }) =>
    issueToken(services, caller, await requireUser(services, name), input),
});

export const createOwnToken = secondName(createToken, {
  name: 'users/create-own-token',
  title: 'Create own API token',
  description:
    'Creates an API token of the caller, which carries no more than the caller holds. It is shown once. Every user except read-only users may.',
  roles: 'decided-by-operation',
  at: { page: true },
  input: tokenRequestSchema,
  subject: ({ label }) => label,
  as: ownWriterFor('create tokens'),
  becomes: (input, { name }) => ({ ...input, name }),
});
