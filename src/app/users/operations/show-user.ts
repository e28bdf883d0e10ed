import * as z from 'zod';
import { requireUser, userNameSchema } from '../require-user.ts';
import { defineOperation } from '../services.ts';
import { userAnswer, userSchema } from '../user-answer.ts';
import { userView } from '../views/users.ts';

export const showUser = defineOperation({
  name: 'users/show-user',
  title: 'User',
  description: 'One user with roles and restrictions; no secrets.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'user show',
      description: 'Show one user.',
      arguments: { name: { shown: '<name>', description: 'name of the user' } },
      json: 'answer the user as JSON',
      examples: ['muster user show olga'],
      view: userView,
    },
    page: true,
  },
  input: z.object({ name: userNameSchema }),
  output: userSchema,
  async run({ name }, { services }) {
    return userAnswer(await requireUser(services, name));
  },
});
