import * as z from 'zod';
import { currentRole } from '../../kernel/caller.ts';
import { storeDocument } from '../../rules/transfer/store-document.ts';
import { applyPasswordPolicy } from '../password-policy.ts';
import { requireAccounts, requireTemplates, requireUser, roleSchema, userNameSchema } from '../require-user.ts';
import { defineOperation } from '../services.ts';

export const changeUser = defineOperation({
  name: 'users/change-user',
  title: 'Change user',
  description: 'Changes password, roles or restrictions of a user, or disables it. What is not named stays.',
  effect: 'write',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: [
      {
        words: 'user set',
        description:
          'Change e-mail address, roles or restrictions of a user. What is named takes the place of what was; what is not named stays.',
        summary: 'change roles and restrictions of a user',
        arguments: { name: { shown: '<name>', description: 'name of the user' } },
        options: {
          email: { flags: '--email <address>', description: 'e-mail address' },
          roles: {
            flags: '--role <role>',
            description: 'API role, instead of all it has (may be repeated)',
            parse: 'list',
          },
          accounts: {
            flags: '--account <name>',
            description: 'restrict the user to this account (may be repeated)',
            parse: 'list',
          },
          templates: {
            flags: '--template <name>',
            description: 'restrict the user to hosts that name this template (may be repeated)',
            parse: 'list',
          },
          read_only: { flags: '--read-only', description: 'refuse everything that changes data' },
          admin: { flags: '--admin', description: 'make the user a global administrator' },
        },
        misuse: ({ name: _, ...changes }) =>
          Object.keys(changes).length === 0
            ? 'say what to change: --email, --role, --account, --template …'
            : undefined,
        json: 'answer the outcome as JSON',
        examples: [
          'muster user set olga --role objects --role automation',
          'muster user set olga --account datacentre',
        ],
        view: (_, print, { name }) => print.note(`Saved user ${name}.`),
      },
      {
        words: 'user disable',
        description: 'Refuse a user from now on, passwords and tokens alike.',
        arguments: { name: { shown: '<name>', description: 'name of the user' } },
        fixed: { disabled: true },
        json: 'answer the outcome as JSON',
        examples: ['muster user disable olga'],
        view: (_, print, { name }) => print.note(`User ${name} may no longer log in.`),
      },
      {
        words: 'user enable',
        description: 'Let a disabled user in again.',
        arguments: { name: { shown: '<name>', description: 'name of the user' } },
        fixed: { disabled: false },
        json: 'answer the outcome as JSON',
        examples: ['muster user enable olga'],
        view: (_, print, { name }) => print.note(`User ${name} may log in again.`),
      },
    ],
    page: true,
  },
  input: z.object({
    name: userNameSchema,
    password: z.string().optional(),
    email: z.string().optional(),
    roles: z.array(roleSchema).optional(),
    accounts: z.array(z.string()).optional(),
    templates: z.array(z.string()).optional(),
    read_only: z.boolean().optional(),
    admin: z.boolean().optional(),
    disabled: z.boolean().optional(),
  }),
  output: z.object({ status: z.literal('saved'), name: z.string() }),
  subject: (input) => input.name,
  async run(input, { services, caller }) {
    const user = await requireUser(services, input.name);
    const document: Record<string, unknown> = { ...user.record.document.value };
    if (input.password !== undefined) {
      applyPasswordPolicy(input.password, user.name, {
        minLength: services.config.PASSWORD_MIN_LENGTH,
        caller,
        logger: services.logger,
      });
      document.pwdhash = await services.passwords.hash(input.password);
      document.date_password = { $date: services.clock.now().getTime() };
    }
    if (input.email !== undefined) document.email = input.email;
    if (input.roles !== undefined) document.api_roles = input.roles.map(currentRole);
    if (input.accounts !== undefined) {
      // Accounts that are gone may stay in the list: taking them out is another change.
      const added = input.accounts.filter((account) => !user.restrictedTo?.includes(account));
      await requireAccounts(services, added);
    }
    if (input.accounts !== undefined) document.restrict_to_accounts = input.accounts;
    if (input.templates !== undefined) {
      const added = input.templates.filter((template) => !user.restrictedToTemplates?.includes(template));
      await requireTemplates(services, added);
      document.restrict_to_templates = input.templates;
    }
    if (input.read_only !== undefined) document.readonly = input.read_only;
    if (input.admin !== undefined) document.global_admin = input.admin;
    if (input.disabled !== undefined) document.disabled = input.disabled;
    await storeDocument(services, caller, 'users', document as never, { replaces: user.record });
    // Sessions that were ended stay ended, even if the user is enabled again.
    if (input.password !== undefined || input.disabled === true) await services.sessions.endOfUser(user.id);
    return { status: 'saved' as const, name: user.name };
  },
});
