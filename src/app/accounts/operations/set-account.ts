import * as z from 'zod';
import type { RuleDocument } from '../../../ports/index.ts';
import { storeDocument } from '../../rules/transfer/store-document.ts';
import { checkReferences, effectiveOptions, withReferences, withSettings } from '../account-settings.ts';
import { accountKind, checkSavedOptions, optionAliases, requireAddress } from '../account-types.ts';
import { defineOperation } from '../services.ts';
import { withWrittenPath } from '../written-path.ts';
import { referencesSchema, settingsSchema } from './add-account.ts';
import { accountNameSchema } from './show-account.ts';

export const setAccount = defineOperation({
  name: 'accounts/set-account',
  title: 'Change account',
  description: 'Changes settings of an account; an empty value removes an option. Options that are not named stay.',
  effect: 'write',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: [
      {
        words: 'account enable',
        description: 'Use a disabled account again.',
        arguments: { name: { shown: '<name>', description: 'name of the account' } },
        fixed: { enabled: true },
        json: 'answer the outcome as JSON',
        examples: ['muster account enable datacentre'],
        view: (_, print, { name }) => print.note(`Account ${name} is enabled.`),
      },
      {
        words: 'account disable',
        description: 'Stop imports, exports and API writes through an account. Its hosts stay.',
        arguments: { name: { shown: '<name>', description: 'name of the account' } },
        fixed: { enabled: false },
        json: 'answer the outcome as JSON',
        examples: ['muster account disable datacentre'],
        view: (_, print, { name }) =>
          print.note(`Account ${name} is disabled: nothing is imported, exported or written through it.`),
      },
    ],
    page: true,
  },
  input: z.object({
    name: accountNameSchema,
    settings: settingsSchema,
    password: z.string().optional().describe('Stored encrypted'),
    secrets_from: referencesSchema,
    enabled: z.boolean().optional(),
  }),
  output: z.object({ status: z.literal('saved'), name: z.string() }),
  subject: (input) => input.name,
  async run({ name, settings, password, secrets_from: references, enabled }, { services, caller }) {
    const account = await services.accounts.inScope(name, caller.scope);
    checkReferences(services, references);
    const aliases = optionAliases(services, account.type);
    const stored =
      password === undefined ? account.record.document.value : withoutReference(account.record.document.value);
    const document = withReferences(withSettings(stored, settings, aliases), references, aliases);
    // An account of an existing installation may have a type, or options, that nothing here knows: it still takes its password.
    const isChecked = Object.keys(settings).length + Object.keys(references).length > 0 || enabled === true;
    let placed = document;
    if (isChecked && accountKind(services, account.type) !== 'unknown') {
      await checkSavedOptions(services, account.type, await effectiveOptions(services, document));
      requireAddress(services, account.type, document);
      placed = await withWrittenPath(services, caller, account.type, document, account.record.document.value);
    }
    const changed = {
      ...placed,
      ...(password === undefined ? {} : { password }),
      ...(enabled === undefined ? {} : { enabled }),
    };
    await storeDocument(services, caller, 'accounts', changed, { replaces: account.record });
    return { status: 'saved' as const, name };
  },
});

/** A password that is given takes the place of one that is kept elsewhere. */
function withoutReference({ password_from: _, ...document }: RuleDocument): RuleDocument {
  return document;
}
