import * as z from 'zod';
import { counted } from '../../../kit/words/amounts.ts';
import { printable } from '../../../kit/words/escape.ts';
import { defineOperation } from '../../maintenance/services.ts';
import { verifyKept } from '../kept-backups.ts';
import { keptFileSchema } from '../kept-file.ts';
import { sizeText } from '../views/backup.ts';

export const verifyBackup = defineOperation({
  name: 'storage/verify-backup',
  title: 'Verify a backup',
  description:
    'Reads a kept backup from beginning to end, compares it with its checksums, and stores the result next to it. One that is encrypted for recipients of age is compared with the checksum of its file.',
  effect: 'write',
  roles: ['admin'],
  weight: 'heavy',
  at: {
    rest: { path: 'POST /backups/:file/verify', basePath: '/backups', errors: ['not_found', 'failed'] },
    command: {
      words: 'storage verify-backup',
      description:
        'Read a kept backup from beginning to end and compare it with its checksums. One that is encrypted for recipients of age is compared with the checksum of its file; whether your identity opens it is seen where that is.',
      summary: 'look whether a kept backup is still what was written',
      arguments: { file: { shown: '<file>', description: 'name of the backup, as list-backups shows it' } },
      storage: 'tried',
      progress: () => 'Verifying',
      json: 'answer the outcome as JSON',
      examples: ['muster storage verify-backup muster-20260301T020000000Z.gz'],
      view: ({ file, by, bytes, records }, print) =>
        print.result(
          `${printable(file)}: ${by === 'content' ? 'every record was read' : 'the file is what was written'}, ${counted(records, 'record')}, ${sizeText(bytes)}\n`,
        ),
    },
    page: true,
  },
  input: z.object({ file: keptFileSchema }),
  output: z.object({
    file: z.string(),
    by: z
      .enum(['content', 'checksum'])
      .describe('content: every record was read; checksum: the file is what was written, and cannot be opened here'),
    bytes: z.number().int(),
    records: z.number().int(),
    verified_at: z.string(),
  }),
  subject: ({ file }) => file,
  async run({ file }, { services, signal, progress }) {
    const { machineFiles, clock, secrets } = services;
    const now = clock.now();
    const found = await verifyKept(machineFiles.backupFolder, file, { now, signal, seal: secrets, progress });
    return { file, ...found, verified_at: now.toISOString() };
  },
});
