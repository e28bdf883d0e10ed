import { type FileHandle, open, stat } from 'node:fs/promises';
import { fileFault } from './fault.ts';

export interface OpenFile {
  readonly handle: FileHandle;
  readonly size: number;
  /** Throws when the file is not as it was when it was opened: somebody writes to it while it is read. */
  assertUnchanged(): Promise<void>;
}

/** Opens a regular file. Anything else is refused before it is opened, because opening a FIFO would wait for ever. */
export async function openFile(path: string): Promise<OpenFile> {
  let handle: FileHandle | undefined;
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw fileFault(path, 'is a directory; name the file in it');
    if (!found.isFile()) throw fileFault(path, 'is no regular file');
    handle = await open(path, 'r');
    const before = await handle.stat();
    const file = handle;
    return {
      handle,
      size: before.size,
      async assertUnchanged() {
        const after = await file.stat();
        if (after.size === before.size && after.mtimeMs === before.mtimeMs) return;
        throw fileFault(path, 'was changed while it was read; import it again when it is complete');
      },
    };
  } catch (error) {
    await handle?.close();
    throw inWords(path, error);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist: a part of its path is no directory',
  EACCES: 'cannot be read: permission denied',
  EPERM: 'cannot be read: permission denied',
  EMFILE: 'cannot be opened: too many open files',
  ELOOP: 'cannot be opened: its symbolic links lead in a circle',
  ENAMETOOLONG: 'is too long a path',
};

/** Errors of the file system in words; errors that are in words already stay as they are. */
export function inWords(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return error;
  const code = String(error.code);
  return fileFault(path, REASONS[code] ?? `cannot be read (${code})`, error);
}
