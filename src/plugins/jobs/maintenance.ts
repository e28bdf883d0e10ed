import type { JobType } from '../../ports/job.ts';
import { countOf } from './answers.ts';

export const maintenanceJob: JobType = {
  id: 'Maintenance',
  aliases: ['Syncer: Maintenance', 'Syncer: Maintenence'],
  description:
    'Archives stale hosts, permanently deletes old archived ones, and prunes history, logs, audit log and playbook runs.',
  account: 'none',
  async run({ operation }) {
    const answer = await operation('system/run-maintenance', {});
    const pruned = ['changes', 'versions', 'logs', 'audit', 'playbook_runs'].reduce(
      (sum, name) => sum + countOf(answer, name),
      0,
    );
    return {
      message: `${countOf(answer, 'stale')} stale hosts archived, ${countOf(answer, 'purged')} permanently deleted, ${pruned} old entries pruned`,
    };
  },
};
