import * as z from 'zod';
import { phrase, worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import { currentRole } from '../../kernel/caller.ts';
import { storeDocument } from '../../rules/transfer/store-document.ts';
import { applyPasswordPolicy } from '../password-policy.ts';
import { newUserNameSchema, requireAccounts, requireTemplates, roleSchema } from '../require-user.ts';
import { defineOperation } from '../services.ts';

export const addUser = defineOperation({
  name: 'users/add-user',
  title: 'Add user',
  description: 'Creates a user with API roles, optionally restricted to accounts or templates.',
  effect: 'write',
  roles: ['admin'],
  weight: 'light',
  at: { page: true },
  input: z.object({
    name: newUserNameSchema,
    email: z.string().default(''),
    password: z.string().describe('Kept as an Argon2id hash only'),
    roles: z.array(roleSchema).default([]),
    accounts: z.array(z.string()).default([]).describe('Restricts the user to these accounts; none: not restricted'),
    templates: z
      .array(z.string())
      .default([])
      .describe('Restricts the user to hosts that name one of these templates; none: not restricted'),
    read_only: z.boolean().default(false),
    admin: z.boolean().default(false).describe('Global administrator'),
  }),
  output: z.object({ status: z.literal('added'), name: z.string() }),
  subject: (input) => input.name,
  async run(input, { services, caller }) {
    const { name } = input;
    const known = await services.users.byName(name);
    if (known !== undefined) {
      throw new AppError(
        'conflict',
        worded`user ${{ name: known.name }} exists already; see "muster user show ${{ name: known.name }}"`,
        {
          details: [{ path: 'name', message: phrase`is the name of another user; choose another one` }],
        },
      );
    }
    applyPasswordPolicy(input.password, name, {
      minLength: services.config.PASSWORD_MIN_LENGTH,
      caller,
      logger: services.logger,
    });
    await requireAccounts(services, input.accounts);
    await requireTemplates(services, input.templates);
    const document = {
      name,
      email: input.email,
      pwdhash: await services.passwords.hash(input.password),
      api_roles: input.roles.map(currentRole),
      global_admin: input.admin,
      readonly: input.read_only,
      disabled: false,
      restrict_to_accounts: input.accounts,
      ...(input.templates.length === 0 ? {} : { restrict_to_templates: input.templates }),
      api_tokens: [],
      date_added: { $date: services.clock.now().getTime() },
    };
    await storeDocument(services, caller, 'users', document, 'create');
    return { status: 'added' as const, name };
  },
});
