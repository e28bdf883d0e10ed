import type { FileHandle } from 'node:fs/promises';
import { readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { isSystemError } from './fault.ts';

/**
 * Returns the target of an absolute path after following its links. Parts that do not exist, or may not be inspected, stay as
 * written: a path out of bounds is thus recognised whether or not anything exists there.
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
 * Returns the real path of an open file. The kernel derives it from the descriptor, so nothing can be swapped in between the
 * check and the use. On systems without /proc, the path is followed again and must lead to the very same file.
 */
export async function pathOfOpen(handle: FileHandle, path: string): Promise<string> {
  const told = await readlink(descriptorPath(handle)).catch(() => undefined);
  if (told !== undefined) return told;
  const [real, open] = [await realpath(path), await handle.stat()];
  const found = await stat(real);
  return found.ino === open.ino && found.dev === open.dev ? real : '';
}

/** Returns a path that leads to the open file, even if it was moved since. Only on systems with /proc. */
export function descriptorPath({ fd }: FileHandle): string {
  return `/proc/self/fd/${fd}`;
}

/** Whether the path is below the folder. Both are real and absolute. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
