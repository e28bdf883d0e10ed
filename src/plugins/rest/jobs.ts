import type { JobType } from '../../ports/job.ts';
import { importJobOf } from '../shared/jobs/import-job.ts';

const SECTION = 'Fills an inventory section of hosts that exist';

/** Jobs of existing installations that read a part of a system, by the names that their groups have. */
export const partJobs: readonly JobType[] = [
  importJobOf('JDisc: Import Applications', 'Imports installed applications as objects.', { part: 'applications' }),
  importJobOf('JDisc: Import Executables', 'Imports installed executable files as objects.', { part: 'executables' }),
  importJobOf(
    'JDisc: Inventorize Applications',
    `${SECTION} (inventorize_key, _applications) with the applications that are installed on them.`,
    { part: 'applications', inventorize: true },
  ),
  importJobOf(
    'JDisc: Inventorize Executables',
    `${SECTION} (inventorize_key, _executables) with the executable files that are installed on them.`,
    { part: 'executables', inventorize: true },
  ),
  importJobOf(
    'Cisco DNA: Get Interfaces',
    `${SECTION} (inventorize_key, else cisco_dnainterface_) with the interfaces of network devices.`,
    { part: 'interfaces', inventorize: true },
  ),
];
