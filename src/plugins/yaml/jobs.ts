import type { JobType } from '../../ports/job.ts';
import { importJobOf } from '../shared/jobs/import-job.ts';
import { jobNamesOf } from '../shared/jobs/job-names-of.ts';
import { HTTP_PART } from './options.ts';

/** Jobs of existing installations whose accounts have an address, and maybe a path as well. */
export const httpJobs: readonly JobType[] = [
  importJobOf('YML HTTP: Import Hosts', 'Imports the hosts of the YAML document at the address of an account.', {
    part: HTTP_PART.id,
  }),
  importJobOf(
    'YML HTTP: Inventorize Objects',
    'Fills the inventory section inventorize_key of hosts that exist from the YAML document at the address of an account.',
    { part: HTTP_PART.id, inventorize: true },
  ),
];

// The same type of account for files and for addresses: each has a job of its own.
export const yamlJobNames = jobNamesOf(
  { title: 'YAML', accountType: 'yml' },
  {
    'YML FILE: Import Hosts': { job: 'Import', logsAs: ['yml_file_import'] },
    'YML FILE: Inventorize Objects': { job: 'Inventorize', logsAs: ['yml_file_inventorize'] },
    'YML HTTP: Import Hosts': { logsAs: ['yml_http_import'] },
    'YML HTTP: Inventorize Objects': { logsAs: ['yml_http_inventorize'] },
  },
);
