import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `storage …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description:
      'Write a backup into BACKUP_DIR, restore it into a database of its own to prove it, and delete the oldest beyond BACKUP_KEEP. The job Backup of cron groups does the same.',
    words: 'storage keep-backup',
    summary: 'write a backup, prove it, delete the oldest',
    storage: 'existing',
    json: 'answer the outcome as JSON',
    examples: ['muster storage keep-backup', 'SERVICE_BACKUP_ENCRYPTION=instance-key muster storage keep-backup'],
    async operation() {
      return (await import('./../../maintenance/operations/keep-backup.ts')).keepBackup;
    },
  },
  {
    description:
      'Replace the instance key and re-encrypt all stored secrets. Services on this machine keep running and use the new key; copy the key file to other nodes. Run the same command again to finish an interrupted rotation.',
    words: 'storage rotate-key',
    storage: 'existing',
    json: 'answer the outcome as JSON',
    examples: ['muster storage rotate-key'],
    async operation() {
      return (await import('./../../maintenance/operations/rotate-key.ts')).rotateKey;
    },
  },
];
