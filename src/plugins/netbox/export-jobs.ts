import type { JobType } from '../../ports/job.ts';
import { exportOutcome } from '../shared/jobs/export-outcome.ts';
import { PARTS, type PartId } from './export/parts.ts';

/** The exports of existing installations, each of one part, by the names that their groups have. */
export const exportJobs: readonly JobType[] = [
  exportOf('Netbox: Update Devices', 'devices'),
  exportOf('Netbox: Sync Virutal Machines', 'vms'),
  exportOf('Netbox: Sync Cluster', 'clusters'),
  exportOf('Netbox: Update DCIM Interfaces', 'interfaces'),
  exportOf('Netbox: Update Virtualization Interfaces', 'vm_interfaces'),
  exportOf('Netbox: Update IPs', 'ips'),
  exportOf('Netbox: Update Prefixes', 'prefixes'),
  exportOf('Netbox: Update Contacts', 'contacts'),
];

function exportOf(id: string, part: PartId): JobType {
  const title = PARTS.find((known) => known.id === part)?.title ?? part;
  return {
    id,
    aliases: [],
    description: `Exports ${title} to a NetBox.`,
    account: 'required',
    run: async ({ account = '', operation }) =>
      exportOutcome(account, await operation('exports/export-account', { account, part })),
  };
}
