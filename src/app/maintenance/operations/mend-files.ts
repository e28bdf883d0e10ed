import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import * as z from 'zod';
import { AppError } from '../../../ports/index.ts';
import { type LooseFile, looseFiles } from '../file-modes.ts';
import { defineOperation } from '../services.ts';

export const mendFiles = defineOperation({
  name: 'system/mend-files',
  title: 'Mend modes of files',
  description:
    'Takes from others what the doctor says they should not read or write: modes of files of this user on this machine. Only what is still found, and was agreed to by its command.',
  effect: 'write',
  roles: ['admin'],
  weight: 'light',
  at: {},
  input: z.object({
    commands: z.array(z.string()).describe('Commands of the doctor that were agreed to'),
  }),
  output: z.object({
    mended: z.array(z.string()).describe('Commands whose work was done'),
    left: z.array(z.object({ command: z.string(), message: z.string() })),
  }),
  subject: ({ commands }) => commands.join('; ').slice(0, 500),
  async run({ commands }, { services, caller }) {
    if (caller.entrance !== 'cli') {
      throw new AppError('forbidden', 'only the operator can, by a command on the machine of the service');
    }
    const mended: string[] = [];
    const left: { command: string; message: string }[] = [];
    for (const file of (await looseFiles(services)).filter(({ command }) => commands.includes(command))) {
      const message = await mend(file);
      if (message === undefined) mended.push(file.command);
      else left.push({ command: file.command, message });
    }
    return { mended, left };
  },
});

/** Says why it could not. No shell, and no other file than the one that is there: a link is not followed. */
async function mend({ path, mode }: LooseFile): Promise<string | undefined> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => error,
  );
  if (handle instanceof Error) {
    return handle.code === 'ELOOP' ? 'it is a link' : `it cannot be opened (${handle.code ?? 'unknown reason'})`;
  }
  try {
    const found = await handle.stat();
    if (found.uid !== process.geteuid?.()) return 'it belongs to another user';
    if (!found.isFile() && !found.isDirectory()) return 'it is not a file';
    await handle.chmod(mode);
    return undefined;
  } catch (error) {
    return `its mode cannot be changed (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`;
  } finally {
    await handle.close();
  }
}
