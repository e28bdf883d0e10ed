import { counted } from '../../kit/words/amounts.ts';
import type { JobType } from '../../ports/job.ts';
import { countOf } from '../shared/jobs/answers.ts';

export const markStaleJob: JobType = {
  id: 'Mark Stale',
  aliases: ['Syncer: Mark Stale', 'Syncer: Mark Stale Hosts'],
  description: 'Archives the hosts that no import or client has seen for STALE_DAYS.',
  account: 'none',
  async run({ account, operation }) {
    const answer = await operation('hosts/mark-stale', account === undefined ? {} : { account });
    const days = countOf(answer, 'days');
    if (days === 0 && account === undefined) return { message: 'STALE_DAYS is 0, so no host ever is stale' };
    if (days === 0) return { message: `${account} has no stale_after_days, so none of its hosts is ever stale` };
    const stale = countOf(answer, 'stale');
    if (stale === 0) return { message: `${counted(countOf(answer, 'archived'), 'host')} archived` };
    return {
      message: `${counted(stale, 'host')} of ${account} not seen for ${counted(days, 'day')}; its auto_archive_when_stale is off, so none was archived`,
    };
  },
};
