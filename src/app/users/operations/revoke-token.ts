import * as z from 'zod';
import { AppError } from '../../../ports/index.ts';
import { memberObjects, memberText } from '../../rules/document/members.ts';
import { changeDocument } from '../../rules/store-document.ts';
import { requireUser, userNameSchema } from '../require-user.ts';
import { defineOperation } from '../services.ts';

export const revokeToken = defineOperation({
  name: 'users/revoke-token',
  title: 'Revoke API token',
  description: 'Takes a token back, named by its prefix; it stops working at once.',
  effect: 'destructive',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'user token revoke',
      description: 'Take a token back; it stops working at once.',
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
  async run({ name, prefix }, { services, caller }) {
    const user = await requireUser(services, name);
    await changeDocument(
      services,
      caller,
      'users',
      user.record,
      (document) => {
        const tokens = memberObjects(document, 'api_tokens');
        const kept = tokens.filter((token) => memberText(token, 'prefix') !== prefix);
        if (kept.length === tokens.length) {
          throw new AppError('not_found', `user ${name} has no token ${prefix}; see "muster user token list ${name}"`);
        }
        return { ...document, api_tokens: kept };
      },
      { keepsConfirmation: true },
    );
    return { status: 'revoked' as const, prefix };
  },
});
