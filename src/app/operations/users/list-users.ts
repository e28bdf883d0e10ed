import * as z from 'zod';
import { defineOperation } from '../../execution/operation.ts';
import { userAnswer, userSchema } from './user-answer.ts';

export const listUsers = defineOperation({
  name: 'users/list-users',
  title: 'Users',
  description: 'All users with their roles and restrictions; no secrets.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  input: z.object({}),
  output: z.object({ users: z.array(userSchema) }),
  async run(_input, { services }) {
    return { users: (await services.users.list()).map(userAnswer) };
  },
});
