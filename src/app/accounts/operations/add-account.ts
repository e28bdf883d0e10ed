import * as z from 'zod';
import { phrase, worded } from '../../../kit/worded.ts';
import { AppError, type RuleDocument } from '../../../ports/index.ts';
import { storeDocument } from '../../rules/transfer/store-document.ts';
import { checkReferences, effectiveOptions, withReferences, withSettings } from '../account-settings.ts';
import { checkSavedOptions, requireAddress } from '../account-types.ts';
import { type AccountServices, defineOperation } from '../services.ts';
import { withWrittenPath } from '../written-path.ts';
import { accountNameSchema } from './show-account.ts';

export const settingsSchema = z
  .record(z.string(), z.string())
  .default({})
  .describe('Settings and options of the type, by name');

export const referencesSchema = z
  .record(z.string(), z.string())
  .default({})
  .describe(
    'References to secrets that are kept elsewhere, by `password` or name of option: vault:secret/data/netbox#token',
  );

/** All that a new account has. */
export const newAccountSchema = z.object({
  name: accountNameSchema
    .regex(/^\P{Cc}*$/u, phrase`must not contain control characters`)
    .describe('Name of the account'),
  type: z.string().min(1).describe('Type of the account, such as csv'),
  settings: settingsSchema,
  password: z.string().optional().describe('Stored encrypted'),
  secrets_from: referencesSchema,
  object: z.boolean().default(false).describe('The account has objects instead of hosts'),
  disabled: z.boolean().default(false),
});

/** Its document, with a checked type and checked options. */
export async function newDocument(
  services: AccountServices,
  { name, type, settings, password, secrets_from: references, object, disabled }: z.output<typeof newAccountSchema>,
): Promise<RuleDocument> {
  const source = services.plugins.source(type)?.item;
  const id = source?.id ?? type;
  const base = {
    name,
    type: id,
    enabled: !disabled,
    is_object: object,
    ...(password === undefined ? {} : { password }),
  };
  checkReferences(services, references);
  // A child has what its parent has.
  const offered = settings.parent === undefined || settings.parent === '' ? source?.newOptions : {};
  const document = withReferences(withSettings(base, { ...offered, ...settings }), references);
  await checkSavedOptions(services, id, await effectiveOptions(services, document));
  requireAddress(services, id, document);
  return document;
}

export const addAccount = defineOperation({
  name: 'accounts/add-account',
  title: 'Add account',
  description: 'Creates an account. Its options are checked against those that its type has.',
  effect: 'write',
  roles: ['admin'],
  weight: 'light',
  at: { page: true },
  input: newAccountSchema,
  output: z.object({ status: z.literal('added'), name: z.string() }),
  subject: (input) => input.name,
  async run(input, { services, caller }) {
    const { name } = input;
    if ((await services.accounts.byName(name)) !== undefined) {
      throw new AppError(
        'conflict',
        worded`account ${{ name }} exists already; change it with "muster account set ${{ name }}"`,
        {
          details: [{ path: 'name', message: phrase`is the name of another account; choose another one` }],
        },
      );
    }
    const document = await newDocument(services, input);
    const placed = await withWrittenPath(services, caller, String(document.type), document);
    await storeDocument(services, caller, 'accounts', placed, 'create');
    return { status: 'added' as const, name };
  },
});
