import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileFault, inWords } from './fault.ts';

/** Where the file is, or will be. */
export interface Place {
  /** The file itself, where the account names a symbolic link to it. */
  readonly path: string;
  /** Size of the file that is there. */
  readonly size: number | undefined;
}

/** Looks at what is there. Throws when nothing can be written in its place, or when it is something else than a file. */
export async function findPlace(path: string): Promise<Place> {
  try {
    const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    });
    await access(dirname(real ?? path), constants.W_OK | constants.X_OK);
    if (real === undefined) return { path, size: undefined };
    const found = await stat(real);
    if (found.isDirectory()) throw fileFault(path, 'is a folder; name a file in it');
    if (!found.isFile()) throw fileFault(path, 'is no regular file');
    return { path: real, size: found.size };
  } catch (error) {
    throw inWords(path, error);
  }
}
