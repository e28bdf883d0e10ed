import { counted } from '../../kit/words/amounts.ts';
import type { JobType } from '../../ports/job.ts';
import { countOf } from '../shared/jobs/answers.ts';

export const backupJob: JobType = {
  id: 'Backup',
  aliases: [],
  description:
    'Writes a backup into BACKUP_DIR, restores it into a database of its own to prove it, and deletes the oldest beyond BACKUP_KEEP.',
  account: 'none',
  async run({ operation }) {
    const answer = await operation('storage/keep-backup', {});
    const size = Math.ceil(countOf(answer, 'bytes') / 1000);
    return {
      message: `backup of ${size} kB written and proved by restoring it; ${counted(countOf(answer, 'kept'), 'backup')} kept`,
    };
  },
};
