import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentCoding } from './entity-tags.ts';

/** The build makes no others. */
const SUFFIXES: Readonly<Record<ContentCoding, string>> = { identity: '', gzip: '.gz', br: '.br', zstd: '.zst' };

/** Returns a file that the build has also stored compressed; `undefined` if later builds than the running one have removed it. */
export async function builtFile(folder: string, name: string, coding: ContentCoding): Promise<Buffer | undefined> {
  try {
    return await readFile(join(folder, `${name}${SUFFIXES[coding]}`));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
