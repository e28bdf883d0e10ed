import * as z from 'zod';
import { memberObjects } from '../../kit/document/members.ts';
import { detailOf, worded } from '../../kit/worded.ts';
import { secondsOf } from '../../kit/words/moment.ts';
import { AppError } from '../../ports/index.ts';
import { type Caller, currentRole } from '../kernel/caller.ts';
import { changeDocument } from '../rules/transfer/store-document.ts';
import { requireTemplates, roleSchema } from './require-user.ts';
import type { UserServices } from './services.ts';
import { TemplateDirectory } from './template-directory.ts';
import { newToken } from './token.ts';
import { userHolds } from './token-rights.ts';
import type { User } from './user.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
export const MOST_DAYS = 3650;

/** The input for a new token. */
export const tokenRequestSchema = z.object({
  label: z.string().min(1).max(100).describe('Purpose of the token'),
  expires_days: z.coerce
    .number()
    .int()
    .min(0)
    .max(MOST_DAYS)
    .optional()
    .describe('Days until it ends; 0: never; absent: as TOKEN_DEFAULT_DAYS says'),
  roles: z.array(roleSchema).default([]).describe('Roles of the user that it carries; none: all of them'),
  read_only: z.boolean().default(false).describe('Whether it only reads'),
  accounts: z.array(z.string()).default([]).describe('Accounts that it reaches at most; none: those of the user'),
  templates: z
    .array(z.string())
    .default([])
    .describe('Templates whose hosts it reaches at most; none: those of the user'),
});

export const issuedTokenSchema = z.object({ token: z.string(), prefix: z.string(), expires: z.string().nullable() });

/** Gives a user a token that carries no more than the user holds. `writer` changes the document of the user. */
export async function issueToken(
  services: UserServices,
  writer: Caller,
  user: User,
  input: z.output<typeof tokenRequestSchema>,
): Promise<z.output<typeof issuedTokenSchema>> {
  if (writer.token?.limited === true) {
    throw new AppError(
      'forbidden',
      worded`this token has only part of the rights of its user and cannot create tokens`,
    );
  }
  const roles = input.roles.map(currentRole);
  const reached = user.restrictedTo === null ? null : await services.accounts.namesOf(user.restrictedTo);
  refuseMore(user, { roles, beyond: input.accounts.find((wanted) => reached?.includes(wanted) === false) });
  for (const account of input.accounts) {
    if ((await services.accounts.byName(account)) !== undefined) continue;
    throw new AppError(
      'invalid_input',
      worded`account ${{ account }} does not exist; "muster account list" shows all accounts`,
      {
        details: [detailOf('accounts', worded`there is no account ${{ name: account }}`)],
      },
    );
  }
  await requireTemplates(services, input.templates);
  await refuseMoreTemplates(services, user, input.templates);
  const days = input.expires_days ?? services.config.TOKEN_DEFAULT_DAYS;
  const { token, prefix, hash } = newToken();
  const now = services.clock.now();
  const expires = days === 0 ? null : new Date(now.getTime() + days * DAY_MS);
  const entry = {
    prefix,
    label: input.label,
    hash,
    created: { $date: now.getTime() },
    expires: expires === null ? null : { $date: expires.getTime() },
    ...(roles.length === 0 ? {} : { api_roles: roles }),
    ...(input.read_only ? { readonly: true } : {}),
    ...(input.accounts.length === 0 ? {} : { restrict_to_accounts: input.accounts }),
    ...(input.templates.length === 0 ? {} : { restrict_to_templates: input.templates }),
  };
  await changeDocument(
    services,
    writer,
    'users',
    user.record,
    (document) => ({
      ...document,
      api_tokens: [...memberObjects(document, 'api_tokens'), entry],
    }),
    { keepsConfirmation: true },
  );
  return { token, prefix, expires: expires === null ? null : secondsOf(expires) };
}

/** A token that names what its user does not hold would say more than it opens. */
function refuseMore(
  user: User,
  { roles, beyond: account }: { readonly roles: readonly string[]; readonly beyond: string | undefined },
): void {
  const role = roles.find((wanted) => !userHolds(user, wanted));
  if (role !== undefined) {
    throw new AppError(
      'invalid_input',
      worded`user ${{ name: user.name }} does not have the role ${{ role }}, so no token of this user can have it`,
      {
        details: [detailOf('roles', worded`${{ user: user.name }} does not have ${{ role }}`)],
      },
    );
  }
  if (account !== undefined) {
    throw new AppError(
      'invalid_input',
      worded`user ${{ name: user.name }} does not reach account ${{ account }}, so no token of it can`,
      {
        details: [detailOf('accounts', worded`${{ user: user.name }} does not reach ${{ name: account }}`)],
      },
    );
  }
}

/** Users name templates by name or id. */
async function refuseMoreTemplates(
  { storage }: UserServices,
  { name, restrictedToTemplates }: User,
  wanted: readonly string[],
): Promise<void> {
  if (restrictedToTemplates === null || wanted.length === 0) return;
  const templates = new TemplateDirectory(storage);
  const reached = (await templates.namesOf(restrictedToTemplates)) ?? [];
  const [beyond] = ((await templates.namesOf(wanted)) ?? []).filter((template) => !reached.includes(template));
  if (beyond === undefined) return;
  throw new AppError(
    'invalid_input',
    worded`user ${{ name }} reaches no host of template ${{ beyond }}, so no token of it can`,
    {
      details: [detailOf('templates', worded`${{ user: name }} does not reach ${{ name: beyond }}`)],
    },
  );
}
