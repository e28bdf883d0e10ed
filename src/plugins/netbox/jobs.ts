import type { JobType } from '../../ports/job.ts';
import { importOutcome } from '../shared/jobs/import-outcome.ts';
import type { PartId } from './source/parts.ts';

/** The imports of existing installations, each of one part. */
export const netboxJobs: readonly JobType[] = [
  importOf('Netbox: Import Devices', 'devices', 'Imports the devices of a NetBox.'),
  importOf('Netbox: Import VMs', 'vms', 'Imports the virtual machines of a NetBox.'),
];

function importOf(id: string, part: PartId, description: string): JobType {
  return {
    id,
    aliases: [],
    description,
    account: 'required',
    withinAccount: true,
    run: async ({ account = '', operation }) =>
      importOutcome(account, await operation('imports/import-account', { account, part })),
  };
}
