import * as z from 'zod';
import packageJson from '../../../../package.json' with { type: 'json' };
import { defineOperation } from '../../maintenance/services.ts';
import { backupView } from '../views/backup.ts';
import { writeBackup } from '../write-backup.ts';

export const backUp = defineOperation({
  name: 'storage/back-up',
  title: 'Back up',
  description:
    'Writes everything that is stored into one file, as one consistent state, while the service keeps running. The instance key is not included.',
  effect: 'write',
  roles: ['admin'],
  weight: 'heavy',
  at: {
    command: {
      words: 'backup',
      description:
        'Write everything that is stored into one compressed file with a checksum, also while the service runs. Keep the instance key apart: it is not in the backup.',
      arguments: {
        file: {
          shown: '<file>',
          description: 'path of the backup; an older backup of that name is replaced',
          parse: 'path',
        },
      },
      options: {
        recipients: {
          flags: '--recipient <age1…>',
          description: 'encrypt it for this recipient of age; may be repeated',
          parse: 'list',
        },
      },
      progress: () => 'Backing up',
      json: 'answer counts and checksum as JSON',
      examples: ['muster backup /var/backups/muster.gz', 'muster backup --recipient "$(cat backup.pub)" muster.gz.age'],
      view: backupView,
      outcome: (_, print) =>
        print.note('Keep the instance key as well, in another place: without it the stored passwords cannot be read.'),
    },
  },
  input: z.object({
    file: z.string().min(1).describe('Path of the backup; an older backup of that name is replaced'),
    recipients: z.array(z.string()).default([]).describe('Recipients of age that it is encrypted for; none: it is not'),
  }),
  output: z.object({
    file: z.string(),
    bytes: z.number().int(),
    counts: z.record(z.string(), z.number().int()).describe('Records by part'),
    sha256: z.string().describe('Checksum of the uncompressed content'),
    file_sha256: z.string().describe('Checksum of the file as it is, for copies of it'),
  }),
  subject: ({ file }) => file,
  async run({ file, recipients }, { services, signal, progress }) {
    const { storage, clock } = services;
    const { fileSha256, ...report } = await writeBackup(storage, file, {
      productVersion: packageJson.version,
      createdAt: clock.now(),
      signal,
      progress,
      recipients,
    });
    return { ...report, file_sha256: fileSha256 };
  },
});
