import * as z from 'zod';
import { secondsOf } from '../../kit/words/moment.ts';
import type { User } from './user.ts';

export const userSchema = z.object({
  name: z.string(),
  email: z.string(),
  roles: z.array(z.string()),
  global_admin: z.boolean(),
  read_only: z.boolean(),
  disabled: z.boolean(),
  waits: z.boolean().describe('Whether the user waits for an administrator, and cannot log in until then'),
  accounts: z.array(z.string()).nullable().describe('Accounts the user is restricted to; null: not restricted'),
  templates: z
    .array(z.string())
    .nullable()
    .describe('Templates that hosts must name for the user to reach them; null: not restricted'),
  second_factor: z
    .object({
      authenticator: z.boolean(),
      passkeys: z.number().int(),
      recovery_codes: z.number().int().describe('How many are left'),
    })
    .describe('Second factors of the user'),
  tokens: z.number().int(),
});

export const listedUserSchema = userSchema.extend({
  last_login: z.string().nullable().describe('When the user last logged in to the pages; null: never'),
  last_token_use: z.string().nullable(),
});

export type ListedUser = z.infer<typeof listedUserSchema>;

export function userAnswer(user: User): z.infer<typeof userSchema> {
  return {
    name: user.name,
    email: user.email,
    roles: [...user.roles],
    global_admin: user.globalAdmin,
    read_only: user.readOnly,
    disabled: user.disabled,
    waits: user.record.confirmedBy === null,
    accounts: user.restrictedTo === null ? null : [...user.restrictedTo],
    templates: user.restrictedToTemplates === null ? null : [...user.restrictedToTemplates],
    second_factor: {
      authenticator: user.secondFactor.authenticator !== '',
      passkeys: user.secondFactor.passkeys.length,
      recovery_codes: user.secondFactor.recoveryCodes.length,
    },
    tokens: user.tokens.length,
  };
}

export const tokenSchema = z.object({
  prefix: z.string(),
  label: z.string(),
  created: z.string().nullable(),
  expires: z.string().nullable(),
  last_used: z.string().nullable(),
  roles: z.array(z.string()).nullable().describe('Roles of the user that it carries; null: all of them'),
  read_only: z.boolean(),
  accounts: z.array(z.string()).nullable().describe('Accounts that it reaches at most; null: those of the user'),
  templates: z
    .array(z.string())
    .nullable()
    .describe('Templates whose hosts it reaches at most; null: those of the user'),
});

export function tokenAnswer(token: User['tokens'][number], lastUse: Date | undefined): z.infer<typeof tokenSchema> {
  return {
    prefix: token.prefix,
    label: token.label,
    created: token.createdAt === null ? null : secondsOf(token.createdAt),
    expires: token.expiresAt === null ? null : secondsOf(token.expiresAt),
    last_used: lastUse === undefined ? null : secondsOf(lastUse),
    roles: token.roles === null ? null : [...token.roles],
    read_only: token.readOnly,
    accounts: token.restrictedTo === null ? null : [...token.restrictedTo],
    templates: token.restrictedToTemplates === null ? null : [...token.restrictedToTemplates],
  };
}
