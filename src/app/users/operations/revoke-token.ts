import * as z from 'zod';
import { secondName } from '../../kernel/operation.ts';
import { ownWriterFor } from '../own-document.ts';
import { requireUser, userNameSchema } from '../require-user.ts';
import { defineOperation } from '../services.ts';
import { takeBackToken } from '../take-back-token.ts';

export const revokeToken = defineOperation({
  name: 'users/revoke-token',
  title: 'Revoke API token',
  description: 'Revokes a token, named by its prefix; it stops working at once.',
  effect: 'destructive',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'user token revoke',
      description: 'Revoke a token; it stops working at once.',
      arguments: {
        name: { shown: '<name>', description: 'name of the user' },
        prefix: { shown: '<prefix>', description: 'prefix of the token, as "user token list" shows it' },
      },
      json: 'answer the outcome as JSON',
      examples: ['muster user token revoke olga muster_Zk3hQ9aB'],
      view: (_, print, { name, prefix }) => print.note(`Token ${prefix} of ${name} no longer works.`),
    },
    page: true,
  },
  input: z.object({ name: userNameSchema, prefix: z.string().min(1) }),
  output: z.object({ status: z.literal('revoked'), prefix: z.string() }),
  subject: (input) => `${input.name} ${input.prefix}`,
  run: async ({ name, prefix }, { services, caller }) =>
    takeBackToken(services, caller, await requireUser(services, name), prefix),
});

export const revokeOwnToken = secondName(revokeToken, {
  name: 'users/revoke-own-token',
  title: 'Revoke own API token',
  description: 'Revokes a token of the caller; it stops working at once. Every user except read-only users may.',
  roles: 'decided-by-operation',
  at: { page: true },
  input: z.object({ prefix: z.string().min(1) }),
  subject: ({ prefix }) => prefix,
  as: ownWriterFor('revoke tokens'),
  becomes: ({ prefix }, { name }) => ({ name, prefix }),
});
