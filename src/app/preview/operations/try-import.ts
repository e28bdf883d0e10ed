import { sourceTypeOf } from '../../accounts/account-types.ts';
import { newAccountSchema } from '../../accounts/operations/add-account.ts';
import { importReportSchema } from '../../runs/import/import-report.ts';
import { importOf } from '../../runs/import/operations/import-account.ts';
import { defineOperation } from '../../runs/services.ts';
import { draftAccount } from '../draft-account.ts';

export const tryImport = defineOperation({
  name: 'imports/try-import',
  title: 'Dry run of a new account',
  description:
    'Reads the source of an account that is not stored yet, and answers what an import would do. Stores nothing.',
  // As for trying its connection: it is for those who could store it.
  effect: 'write',
  roles: ['admin'],
  weight: 'heavy',
  previews: () => true,
  at: { page: true },
  input: newAccountSchema,
  output: importReportSchema,
  subject: (input) => input.name,
  async run(input, context) {
    const account = await draftAccount(context.services, context.caller, input);
    sourceTypeOf(context.services, account);
    return importOf(context, account, { dry_run: true, diff: false, full: true, inventorize: false });
  },
});
