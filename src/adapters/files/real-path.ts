import type { FileHandle } from 'node:fs/promises';
import { readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { isSystemError } from './fault.ts';

/**
 * Where an absolute path leads once its links are followed. What does not exist, or may not be looked at, stays as it is
 * written: so a path out of bounds is known for one whether or not something is there.
 */
export async function leadsTo(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if (!isSystemError(error) || parent === path) return path;
    return join(await leadsTo(parent), basename(path));
  }
}

/**
 * The real path of what is open. The kernel says it of the descriptor, so nobody can put something else there between the
 * check and the use. Where the system has no /proc, the path is followed again and must lead to the very same file.
 */
export async function pathOfOpen(handle: FileHandle, path: string): Promise<string> {
  const told = await readlink(descriptorPath(handle)).catch(() => undefined);
  if (told !== undefined) return told;
  const [real, open] = [await realpath(path), await handle.stat()];
  const found = await stat(real);
  return found.ino === open.ino && found.dev === open.dev ? real : '';
}

/** A path that leads to what is open, wherever it was moved since. Only where the system has /proc. */
export function descriptorPath({ fd }: FileHandle): string {
  return `/proc/self/fd/${fd}`;
}

/** Whether the path lies below the folder. Both are real and absolute. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
