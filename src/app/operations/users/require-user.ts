import * as z from 'zod';
import { AppError } from '../../../ports/index.ts';
import { API_ROLES, OLD_AUTOMATION_ROLE } from '../../execution/caller.ts';
import type { Services } from '../../services.ts';
import type { User } from '../../users/user.ts';

export const userNameSchema = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[^\s:\p{Cc}]+$/u, 'must not hold white space, colons or control characters')
  .describe('Name of the user');

export const roleSchema = z.enum([...API_ROLES, OLD_AUTOMATION_ROLE]);

export async function requireUser(services: Services, name: string): Promise<User> {
  const user = await services.users.byName(name);
  if (user === undefined)
    throw new AppError('not_found', `there is no user ${name}; "muster user list" shows which there are`);
  return user;
}
