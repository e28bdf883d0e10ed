import * as z from 'zod';
import { partsSchema } from '../../maintenance/parts-schema.ts';
import { defineOperation } from '../../maintenance/services.ts';
import { identitiesIn } from '../age-file.ts';
import { restoreBackup as restore } from '../restore-backup.ts';

export const restoreBackup = defineOperation({
  name: 'storage/restore-backup',
  title: 'Restore backup',
  description:
    'Restores a backup into the store. The whole file is verified before anything is touched. The same call finishes an interrupted restore.',
  effect: 'destructive',
  roles: ['admin'],
  weight: 'heavy',
  at: {},
  input: z.object({
    file: z.string().min(1).describe('Path of the backup'),
    force: z.boolean().default(false).describe('Deletes everything that is stored first'),
    identity: z
      .string()
      .min(1)
      .optional()
      .describe('Path of the file with an identity of age, for an encrypted backup'),
  }),
  output: z.object({
    product: z.string().describe('Version that wrote the backup'),
    created: z.string(),
    resumed: z.boolean().describe('True when this finished an interrupted restore'),
    parts: partsSchema,
  }),
  subject: ({ file }) => file,
  async run({ file, force, identity }, { services, signal, progress }) {
    const report = await restore(file, services.storage, {
      force,
      signal,
      progress,
      seal: () => services.secrets,
      ...(identity !== undefined && { identities: await identitiesIn(identity) }),
    });
    return { ...report, parts: [...report.parts] };
  },
});
