import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `storage …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description:
      'Begin a new chain of the audit log where the instance key of the present one is lost for good. Entries so far stay, and can never be verified again: look for the old key first. Refused while the chain can be continued.',
    words: 'storage begin-audit-chain',
    summary: 'go on with the audit log after the instance key was lost',
    json: 'answer the outcome as JSON',
    examples: ['muster storage begin-audit-chain'],
    async operation() {
      return (await import('./../../maintenance/operations/begin-audit-chain.ts')).beginAuditChain;
    },
  },
  {
    description:
      'Write a backup into BACKUP_DIR, restore it into a database of its own to prove it, and delete the oldest beyond BACKUP_KEEP. The job Backup of cron groups does the same.',
    words: 'storage keep-backup',
    summary: 'write a backup, prove it, delete the oldest',
    json: 'answer the outcome as JSON',
    examples: ['muster storage keep-backup', 'SERVICE_BACKUP_ENCRYPTION=instance-key muster storage keep-backup'],
    async operation() {
      return (await import('./../../maintenance/operations/keep-backup.ts')).keepBackup;
    },
  },
  {
    description:
      'List the backups in BACKUP_DIR, the newest first. Each was proved by restoring it when it was written; verify-backup looks whether it is still what was written.',
    words: 'storage list-backups',
    summary: 'list the kept backups',
    storage: 'unused',
    columns: ['file', 'written', 'size', 'records', 'encrypted', 'verified'],
    json: 'answer the backups as JSON',
    examples: ['muster storage list-backups'],
    async operation() {
      return (await import('./../../maintenance/operations/list-backups.ts')).listBackups;
    },
  },
  {
    description:
      'Replace the instance key and re-encrypt all stored secrets. Services on this machine keep running and use the new key; copy the key file to other nodes. Run the same command again to finish an interrupted rotation.',
    words: 'storage rotate-key',
    json: 'answer the outcome as JSON',
    examples: ['muster storage rotate-key'],
    async operation() {
      return (await import('./../../maintenance/operations/rotate-key.ts')).rotateKey;
    },
  },
  {
    description:
      'Read a kept backup from beginning to end and compare it with its checksums. One that is encrypted for recipients of age is compared with the checksum of its file; whether your identity opens it is seen where that is.',
    words: 'storage verify-backup',
    summary: 'look whether a kept backup is still what was written',
    arguments: {
      file: {
        shown: '<file>',
        description: 'name of the backup, as list-backups shows it',
      },
    },
    storage: 'tried',
    json: 'answer the outcome as JSON',
    examples: ['muster storage verify-backup muster-20260301T020000000Z.gz'],
    async operation() {
      return (await import('./../../maintenance/operations/verify-backup.ts')).verifyBackup;
    },
  },
];
