import type { JobType } from '../../ports/job.ts';
import { countOf } from '../shared/jobs/answers.ts';

export const recountSeatsJob: JobType = {
  id: 'Recount Seats',
  aliases: ['Checkmk: Sync Folder Pools'],
  description: 'Sets how many seats of each folder pool are taken to the number of active hosts in its folder.',
  account: 'none',
  async run({ operation }) {
    const answer = await operation('system/recount-seats', {});
    const unsettled = countOf(answer, 'unsettled');
    const done = `${countOf(answer, 'pools')} folder pools, ${countOf(answer, 'corrected')} corrected`;
    if (unsettled === 0) return { message: done };
    return { failed: true, message: `${done}; ${unsettled} changed at each try, so run it again` };
  },
};
