import type { JobType } from '../../ports/job.ts';
import { importJobOf } from '../shared/jobs/import-job.ts';
import { jobNamesOf } from '../shared/jobs/job-names-of.ts';

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

/** The names of the imports and exports in groups; the exports are in `export-jobs.ts`. */
export const netboxJobNames = jobNamesOf(
  { title: 'NetBox', accountType: 'netbox' },
  {
    'Netbox: Import Devices': { job: 'Import', logsAs: ['SyncDevices'] },
    'Netbox: Import VMs': { logsAs: ['SyncVirtualMachines'] },
    'Netbox: Import DCIM Interfaces': { logsAs: ['SyncInterfaces'] },
    'Netbox: Import Virtualization Interfaces': { logsAs: ['SyncVirtInterfaces'] },
    'Netbox: Sync Cluster': { logsAs: ['netbox_cluster_sync'] },
    'Netbox: Sync Virutal Machines': { logsAs: ['netbox_vm_sync'] },
    'Netbox: Update Contacts': { logsAs: ['netbox_contact_sync'] },
    'Netbox: Update DCIM Interfaces': { logsAs: ['netbox_dcim_interface_sync'] },
    'Netbox: Update Dataflow': { logsAs: ['netbox_dataflow_sync'] },
    'Netbox: Update Devices': { logsAs: ['netbox_device_sync', 'netbox_device_sync_command'] },
    'Netbox: Update IPs': { logsAs: ['netbox_ipam_ip_export'] },
    'Netbox: Update Prefixes': { logsAs: ['netbox_ipam_prefix_export'] },
    'Netbox: Update Virtualization Interfaces': { logsAs: ['netbox_virt_interface_sync'] },
  },
);
