import * as z from 'zod';
import { detailOf, phrase, worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/index.ts';
import { API_ROLES, OLD_AUTOMATION_ROLE } from '../kernel/caller.ts';
import type { UserServices } from './services.ts';
import type { User } from './user.ts';

/** The name of an existing user: old users may have names that are refused for new ones today. */
export const userNameSchema = z.string().min(1).max(1000).describe('Name of the user');

/** The name of a new user. What of it may be taken for another name is found out where it is stored. */
export const newUserNameSchema = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[^\s:\p{Cc}]+$/u, phrase`must not contain white space, colons or control characters`)
  .describe('Name of the user');

export const roleSchema = z.enum([...API_ROLES, OLD_AUTOMATION_ROLE]);

export async function requireUser(services: UserServices, name: string): Promise<User> {
  const user = await services.users.byName(name);
  if (user === undefined)
    throw new AppError('not_found', worded`there is no user ${{ name }}; list the users to see which exist`);
  return user;
}

/** Throws `invalid_input` if an account does not exist: a restriction to it would allow nothing until the account is created. */
export async function requireAccounts({ accounts }: UserServices, names: readonly string[]): Promise<void> {
  const known = await accounts.list(null);
  const missing = names.find((name) => !known.some((account) => account.name === name || account.id === name));
  if (missing === undefined) return;
  throw new AppError(
    'invalid_input',
    worded`account ${{ missing }} does not exist; create it before restricting a user to it`,
    {
      details: [detailOf('accounts', worded`account ${{ name: missing }} does not exist`)],
    },
  );
}

export async function requireTemplates({ storage }: UserServices, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const known = (await storage.rules.findByName(TEMPLATES, name)) ?? (await storage.rules.get(TEMPLATES, name));
    if (known !== undefined) continue;
    throw new AppError(
      'invalid_input',
      worded`template ${{ name }} does not exist; create it before restricting a user to it`,
      {
        details: [detailOf('templates', worded`template ${{ name }} does not exist`)],
      },
    );
  }
}

const TEMPLATES = 'cmdb_templates';
