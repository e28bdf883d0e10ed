import type { JobType } from '../../ports/job.ts';

export const autorulesJob: JobType = {
  id: 'Autorules',
  aliases: ['Syncer: Autocreate Rules', 'Syncer: Autorules'],
  description: 'Creates rules for hosts and objects from the autorules.',
  account: 'none',
  async run({ operation }) {
    await operation('rules/run-autorules', {});
    return { message: 'done; the log entry of autorules lists the results' };
  },
};
