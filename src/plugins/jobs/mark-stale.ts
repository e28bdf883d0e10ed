import type { JobType } from '../../ports/job.ts';
import { countOf } from './answers.ts';

export const markStaleJob: JobType = {
  id: 'Mark Stale',
  aliases: ['Syncer: Mark Stale', 'Syncer: Mark Stale Hosts'],
  description: 'Archives the hosts that no import or client has seen for STALE_DAYS.',
  account: 'none',
  async run({ operation }) {
    const answer = await operation('hosts/mark-stale', {});
    if (countOf(answer, 'days') === 0) return { message: 'STALE_DAYS is 0, so no host ever is stale' };
    return { message: `${countOf(answer, 'archived')} hosts archived` };
  },
};
