import type { JobType } from '../../ports/job.ts';
import { importJobOf } from '../shared/jobs/import-job.ts';

const SECTION = 'Fills the inventory section inventorize_key of hosts that exist';

/** The imports of existing installations, each of one part. */
export const netboxJobs: readonly JobType[] = [
  importJobOf('Netbox: Import Devices', 'Imports the devices of a NetBox.', { part: 'devices' }),
  importJobOf('Netbox: Import VMs', 'Imports the virtual machines of a NetBox.', { part: 'vms' }),
  importJobOf('Netbox: Import DCIM Interfaces', `${SECTION} with the interfaces that devices of a NetBox have.`, {
    part: 'interfaces',
    inventorize: true,
  }),
  importJobOf(
    'Netbox: Import Virtualization Interfaces',
    `${SECTION} with the interfaces that virtual machines of a NetBox have.`,
    { part: 'vm_interfaces', inventorize: true },
  ),
];
