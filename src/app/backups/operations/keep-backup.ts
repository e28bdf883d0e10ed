import * as z from 'zod';
import packageJson from '../../../../package.json' with { type: 'json' };
import { AppError } from '../../../ports/index.ts';
import { BACKUP_ENCRYPTIONS, type Config } from '../../kernel/config/schema.ts';
import { defineOperation } from '../../maintenance/services.ts';
import { scheduledBackup } from '../scheduled-backup.ts';
import { keptBackupView } from '../views/backup.ts';

export const keepBackup = defineOperation({
  name: 'storage/keep-backup',
  title: 'Keep a backup',
  description:
    'Writes a backup into BACKUP_DIR, restores it into a database of its own to prove it, and deletes the oldest beyond BACKUP_KEEP. Encrypted as BACKUP_ENCRYPTION says.',
  effect: 'write',
  roles: ['admin'],
  weight: 'heavy',
  at: {
    rest: { path: 'POST /backups', errors: ['failed'] },
    command: {
      words: 'storage keep-backup',
      description:
        'Write a backup into BACKUP_DIR, restore it into a database of its own to prove it, and delete the oldest beyond BACKUP_KEEP. The job Backup of cron groups does the same.',
      summary: 'write a backup, prove it, delete the oldest',
      progress: () => 'Backing up',
      json: 'answer the outcome as JSON',
      examples: ['muster storage keep-backup', 'SERVICE_BACKUP_ENCRYPTION=instance-key muster storage keep-backup'],
      view: keptBackupView,
    },
    page: true,
  },
  input: z.object({}),
  output: z.object({
    file: z.string(),
    bytes: z.number().int(),
    counts: z.record(z.string(), z.number().int()).describe('Records by part'),
    sha256: z.string().describe('Checksum of the uncompressed content'),
    file_sha256: z.string().describe('Checksum of the file as it is, for copies of it'),
    encrypted: z.boolean(),
    encryption: z.enum(BACKUP_ENCRYPTIONS),
    removed: z.array(z.string()).describe('Names of older backups that were deleted'),
    kept: z.number().int().describe('How many backups there are now'),
  }),
  async run(_, { services, signal, progress }) {
    const { config, storage, clock, secrets, machineFiles } = services;
    const encryption = config.BACKUP_ENCRYPTION;
    const recipients = recipientsOf(config);
    const { fileSha256, ...report } = await scheduledBackup(storage, {
      productVersion: packageJson.version,
      createdAt: clock.now(),
      folder: machineFiles.backupFolder,
      keep: config.BACKUP_KEEP,
      seal: secrets,
      encrypt: encryption === 'instance-key',
      recipients,
      openStorage: services.openStorage,
      signal,
      progress,
    });
    return {
      ...report,
      file_sha256: fileSha256,
      encrypted: encryption !== 'none',
      encryption,
      removed: [...report.removed],
    };
  },
});

/** Recipients of backups. Throws for half a configuration: a backup thought encrypted must not be in clear text. */
function recipientsOf({ BACKUP_ENCRYPTION, BACKUP_RECIPIENTS }: Config): readonly string[] {
  if (BACKUP_ENCRYPTION === 'age' && BACKUP_RECIPIENTS.length === 0) {
    throw new AppError('failed', 'BACKUP_ENCRYPTION is age, and BACKUP_RECIPIENTS is empty; set it to age1… keys');
  }
  if (BACKUP_ENCRYPTION !== 'age' && BACKUP_RECIPIENTS.length > 0) {
    throw new AppError(
      'failed',
      `BACKUP_RECIPIENTS names recipients, and BACKUP_ENCRYPTION is ${BACKUP_ENCRYPTION}; set it to age, or remove them`,
    );
  }
  return BACKUP_RECIPIENTS;
}
