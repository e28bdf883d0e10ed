import * as z from 'zod';
import { BACKUP_ENCRYPTIONS } from '../../kernel/config/schema.ts';
import { columnNames } from '../../kernel/listing.ts';
import { defineOperation } from '../../maintenance/services.ts';
import { keptBackups } from '../kept-backups.ts';
import { KEPT_BACKUP_COLUMNS } from '../views/kept-backups.ts';

export const listBackups = defineOperation({
  name: 'storage/list-backups',
  title: 'Kept backups',
  description:
    'The backups in BACKUP_DIR of the machine that answers, the newest first, with how each is encrypted and how it was found last.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  at: {
    rest: { path: 'GET /backups', errors: ['failed'] },
    command: {
      words: 'storage list-backups',
      description:
        'List the backups in BACKUP_DIR, the newest first. Each was proved by restoring it when it was written; verify-backup looks whether it is still what was written.',
      summary: 'list the kept backups',
      storage: 'unused',
      columns: columnNames(KEPT_BACKUP_COLUMNS),
      json: 'answer the backups as JSON',
      examples: ['muster storage list-backups'],
      view: ({ folder, backups }, print) =>
        print.table(backups, KEPT_BACKUP_COLUMNS, `There are no backups in ${folder}.`),
    },
    page: true,
  },
  input: z.object({}),
  output: z.object({
    folder: z.string().describe('The folder on the machine of the service'),
    keep: z.number().int().describe('BACKUP_KEEP: number of backups that are kept'),
    encryption: z.enum(BACKUP_ENCRYPTIONS).describe('BACKUP_ENCRYPTION: how the next one is encrypted'),
    backups: z.array(
      z.object({
        file: z.string(),
        written_at: z.string().describe('When it was written, and proved by restoring it'),
        bytes: z.number().int(),
        records: z.number().int().nullable().describe('Null for one that an earlier version wrote'),
        encryption: z.enum(BACKUP_ENCRYPTIONS),
        file_sha256: z.string().nullable().describe('Checksum of the file as it is, for copies of it'),
        verified_at: z.string().nullable().describe('When it was last read and found whole'),
        failed_at: z.string().nullable().describe('When it was last read and not found whole'),
        failure: z.string().nullable(),
      }),
    ),
  }),
  async run(_, { services: { machineFiles, config } }) {
    const folder = machineFiles.backupFolder;
    const backups = await keptBackups(folder);
    return {
      folder,
      keep: config.BACKUP_KEEP,
      encryption: config.BACKUP_ENCRYPTION,
      backups: backups.map(({ file, writtenAt, bytes, encryption, note }) => ({
        file,
        written_at: writtenAt.toISOString(),
        bytes,
        records: note?.records ?? null,
        encryption,
        file_sha256: note?.file_sha256 ?? null,
        verified_at: note?.verified_at ?? null,
        failed_at: note?.failed_at ?? null,
        failure: note?.failure ?? null,
      })),
    };
  },
});
