import { counted } from '../../kit/words/amounts.ts';
import type { JobType } from '../../ports/job.ts';
import { countOf } from '../shared/jobs/answers.ts';

export const maintenanceJob: JobType = {
  id: 'Maintenance',
  aliases: ['Syncer: Maintenance', 'Syncer: Maintenence'],
  description:
    'Archives stale hosts, permanently deletes old archived ones, and prunes history, logs, audit log, playbook runs and plans.',
  account: 'none',
  async run({ account, operation }) {
    const answer = await operation('system/run-maintenance', account === undefined ? {} : { account });
    const pruned = ['changes', 'versions', 'logs', 'audit', 'playbook_runs', 'plans'].reduce(
      (sum, name) => sum + countOf(answer, name),
      0,
    );
    const heldBack = countOf(answer, 'held_back');
    const done = `${counted(countOf(answer, 'stale'), 'stale host')} archived, ${countOf(answer, 'purged')} permanently deleted, ${counted(pruned, 'old entry', 'old entries')} pruned`;
    if (heldBack === 0) return { message: done };
    const why = `${counted(heldBack, 'host is', 'hosts are')} stale, which is not fewer than dont_delete_hosts_if_more_then of ${account} allows, so none was archived`;
    return { failed: true, message: `${why}; ${done}` };
  },
};
