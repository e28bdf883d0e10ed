import type { JobType } from '../../ports/job.ts';
import { importOutcome } from '../shared/jobs/import-outcome.ts';

/** The account's import, whatever its type. */
export const importJob: JobType = {
  id: 'Import',
  aliases: [],
  // Existing installations have one command for each source: `CSV: Import Hosts`, `i-doit: Import hosts`.
  isAlias: (command) => /^[^:]+:\s*import\b/i.test(command),
  description: 'Imports the hosts of an account from its source.',
  account: 'required',
  withinAccount: true,
  run: async ({ account = '', operation }) =>
    importOutcome(account, await operation('imports/import-account', { account })),
};
