import type { JobType } from '../../ports/job.ts';
import { importJobOf } from '../shared/jobs/import-job.ts';

/** The account's import, whatever its type. */
export const importJob: JobType = {
  ...importJobOf('Import', 'Imports the hosts of an account from its source.'),
  // Existing installations have one command for each source: `CSV: Import Hosts`, `i-doit: Import hosts`.
  isAlias: (command) => /^[^:]+:\s*import\b/i.test(command),
};
