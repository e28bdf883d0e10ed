import type { JobType } from '../../ports/job.ts';
import type { JsonObject } from '../../ports/json.ts';
import { importOutcome } from '../shared/jobs/import-outcome.ts';

const SECTION = 'Fills an inventory section of hosts that exist';

/** Jobs of existing installations that read a part of a system, by the names that their groups have. */
export const partJobs: readonly JobType[] = [
  {
    ...importOf('JDisc: Import Applications', { part: 'applications' }, 'Imports installed applications as objects.'),
    withinAccount: true,
  },
  {
    ...importOf('JDisc: Import Executables', { part: 'executables' }, 'Imports installed executable files as objects.'),
    withinAccount: true,
  },
  importOf(
    'JDisc: Inventorize Applications',
    { part: 'applications', inventorize: true },
    `${SECTION} (inventorize_key, _applications) with the applications that are installed on them.`,
  ),
  importOf(
    'JDisc: Inventorize Executables',
    { part: 'executables', inventorize: true },
    `${SECTION} (inventorize_key, _executables) with the executable files that are installed on them.`,
  ),
  importOf(
    'Cisco DNA: Get Interfaces',
    { part: 'interfaces', inventorize: true },
    `${SECTION} (inventorize_key, else cisco_dnainterface_) with the interfaces of network devices.`,
  ),
];

function importOf(id: string, what: JsonObject, description: string): JobType {
  return {
    id,
    aliases: [],
    description,
    account: 'required',
    run: async ({ account = '', operation }) =>
      importOutcome(account, await operation('imports/import-account', { account, ...what })),
  };
}
