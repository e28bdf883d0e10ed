import * as z from 'zod';
import { memberObjects } from '../../../ports/rule-members.ts';
import { secondsOf } from '../../domain/time.ts';
import { defineOperation } from '../../execution/operation.ts';
import { newToken } from '../../users/token.ts';
import { changeDocument } from '../store-document.ts';
import { requireUser, userNameSchema } from './require-user.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export const createToken = defineOperation({
  name: 'users/create-token',
  title: 'Create API token',
  description: 'Makes a personal API token of a user. The token is shown once and kept only as a hash.',
  effect: 'write',
  roles: ['admin'],
  weight: 'light',
  input: z.object({
    name: userNameSchema,
    label: z.string().min(1).max(100).describe('What the token is for'),
    expires_days: z.coerce.number().int().min(1).max(3650).optional().describe('Days until it ends; absent: never'),
  }),
  output: z.object({ token: z.string(), prefix: z.string(), expires: z.string().nullable() }),
  subject: (input) => input.name,
  async run({ name, label, expires_days }, { services, caller }) {
    const user = await requireUser(services, name);
    const { token, prefix, hash } = newToken();
    const now = services.clock.now();
    const expires = expires_days === undefined ? null : new Date(now.getTime() + expires_days * DAY_MS);
    const entry = {
      prefix,
      label,
      hash,
      created: { $date: now.getTime() },
      expires: expires === null ? null : { $date: expires.getTime() },
    };
    await changeDocument(
      services,
      caller,
      'users',
      user.record,
      (document) => ({
        ...document,
        api_tokens: [...memberObjects(document, 'api_tokens'), entry],
      }),
      { keepsConfirmation: true },
    );
    return { token, prefix, expires: expires === null ? null : secondsOf(expires) };
  },
});
