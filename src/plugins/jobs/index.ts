import { definePlugin } from '../../ports/plugin.ts';
import { autorulesJob } from './autorules.ts';
import { backupJob } from './backup.ts';
import { exportJob } from './export.ts';
import { firePlaybooksJob } from './fire-playbooks.ts';
import { importJob } from './import.ts';
import { inventorizeJob } from './inventorize.ts';
import { jobNames } from './job-names.ts';
import { maintenanceJob } from './maintenance.ts';
import { markStaleJob } from './mark-stale.ts';
import { recountSeatsJob } from './recount-seats.ts';
import { reportJob } from './report.ts';

export default definePlugin({
  id: 'jobs',
  apiVersion: 2,
  description:
    'The jobs of cron groups: imports, inventories, exports, autorules, playbooks, maintenance, stale hosts, seats of folder pools, reports, backups',
  register(host) {
    host.job(importJob);
    host.job(inventorizeJob);
    host.job(exportJob);
    host.job(autorulesJob);
    host.job(firePlaybooksJob);
    host.job(maintenanceJob);
    host.job(markStaleJob);
    host.job(recountSeatsJob);
    host.job(reportJob);
    host.job(backupJob);
    for (const name of jobNames) host.jobName(name);
  },
});
