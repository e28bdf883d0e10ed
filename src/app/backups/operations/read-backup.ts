import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import { PACKED_TYPE } from '../../kernel/operation.ts';
import { defineStreamOperation } from '../../maintenance/services.ts';
import { bytesOfKept, openKept } from '../kept-backups.ts';
import { keptFileSchema } from '../kept-file.ts';

export const readBackup = defineStreamOperation({
  name: 'storage/read-backup',
  title: 'Download a backup',
  description:
    'The bytes of a kept backup. One that is not encrypted holds everything that is stored, such as hashes of passwords; the instance key is never in it.',
  effect: 'read',
  roles: ['admin'],
  weight: 'light',
  auditReads: true,
  at: {
    rest: { path: 'GET /backups/:file', mediaType: PACKED_TYPE, errors: ['not_found', 'read_only'] },
    page: true,
  },
  input: z.object({ file: keptFileSchema }),
  output: z.string(),
  subject: ({ file }) => file,
  async run({ file }, { services, caller }) {
    // It is more than anybody can see elsewhere: who may only look gets no copy of everything.
    if (caller.readOnly) {
      throw new AppError(
        'read_only',
        worded`User ${{ name: caller.name }} may only read; a backup is a copy of everything`,
      );
    }
    const { backupFolder } = services.machineFiles;
    await (await openKept(backupFolder, file)).close();
    return { mediaType: PACKED_TYPE, unchanged: false, body: bytesOfKept(backupFolder, file) };
  },
});
