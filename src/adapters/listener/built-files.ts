import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentCoding } from './entity-tags.ts';

/** The build makes no others. */
const SUFFIXES: Readonly<Record<ContentCoding, string>> = { identity: '', gzip: '.gz', br: '.br', zstd: '.zst' };

/** A file that the build has compressed beside itself; `undefined` when builds after the one that runs have taken it away. */
export async function builtFile(folder: string, name: string, coding: ContentCoding): Promise<Buffer | undefined> {
  try {
    return await readFile(join(folder, `${name}${SUFFIXES[coding]}`));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
