import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `maintenance …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description:
      'Archive hosts unseen for STALE_DAYS, delete for good what is in the archive for ARCHIVE_DAYS, and prune history, logs, audit, runs of playbooks, plans and notifications. The service does this every hour by itself.',
    words: 'maintenance',
    json: 'answer the counts as JSON',
    examples: ['muster maintenance', 'SERVICE_ARCHIVE_DAYS=90 muster maintenance'],
    async operation() {
      return (await import('./../../maintenance/operations/run-maintenance.ts')).runMaintenance;
    },
  },
];
