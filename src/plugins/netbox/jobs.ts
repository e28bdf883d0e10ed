import type { JobType } from '../../ports/job.ts';
import type { JsonObject } from '../../ports/json.ts';
import { importOutcome } from '../shared/jobs/import-outcome.ts';

const SECTION = 'Fills the inventory section inventorize_key of hosts that exist';

/** The imports of existing installations, each of one part. */
export const netboxJobs: readonly JobType[] = [
  {
    ...importOf('Netbox: Import Devices', { part: 'devices' }, 'Imports the devices of a NetBox.'),
    withinAccount: true,
  },
  {
    ...importOf('Netbox: Import VMs', { part: 'vms' }, 'Imports the virtual machines of a NetBox.'),
    withinAccount: true,
  },
  importOf(
    'Netbox: Import DCIM Interfaces',
    { part: 'interfaces', inventorize: true },
    `${SECTION} with the interfaces that devices of a NetBox have.`,
  ),
  importOf(
    'Netbox: Import Virtualization Interfaces',
    { part: 'vm_interfaces', inventorize: true },
    `${SECTION} with the interfaces that virtual machines of a NetBox have.`,
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
