import { feature } from '../catalogue/declared-feature.ts';
import type { UpkeepParts } from '../maintenance/upkeep-parts.ts';

/** Backups: written, kept, checked and restored. */
export const backups = feature<UpkeepParts>({
  id: 'backups',
  checks: [
    async ({ services }, hasStorage) => (await import('./check-backups.ts')).backupFindings(services, hasStorage),
  ],
  async gauges({ machineFiles }) {
    const { newestBackup } = await import('./kept-backups.ts');
    // Doctor says why the folder cannot be read.
    const newest = await newestBackup(machineFiles.backupFolder).catch(() => undefined);
    return [
      {
        name: 'muster_backup_written_timestamp_seconds',
        help: 'When the newest kept backup was written, and proved by restoring it',
        value: newest && newest.writtenAt.getTime() / 1000,
      },
      { name: 'muster_backup_size_bytes', help: 'Size of the newest kept backup', value: newest?.bytes },
      {
        name: 'muster_backup_sound',
        help: 'Whether the newest kept backup was whole when it was last verified',
        value: newest && Number(newest.note?.failed_at === undefined),
      },
    ];
  },
});
