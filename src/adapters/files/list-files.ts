import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Bounds } from './bounds.ts';
import { readingFault } from './fault.ts';
import { fits } from './name-pattern.ts';
import type { FileToRead } from './read-file.ts';
import { leadsTo } from './real-path.ts';
import { type OpenFolder, openFolder } from './target-place.ts';

/** Bounds apply to files: those of a folder may be named if any of them may be used. */
export const ANY_NAME = 'file';

/** Implements `SourceFiles.list`. Each file is checked again when it is read. */
export async function listSourceFiles(bounds: Bounds, file: FileToRead): Promise<readonly string[] | undefined> {
  const place = await placeOf(file);
  if (place === undefined) return undefined;
  const { path, reach } = file;
  const require = (real: string): Promise<void> => bounds.require(join(real, ANY_NAME), path, 'source', reach);
  await require(await leadsTo(place.absolute));
  try {
    const folder = await openFolder(place.absolute);
    try {
      await require(folder.real);
      const names = (await regularFiles(folder)).filter((name) => !name.startsWith('.') && place.takes(name));
      return names.sort().map((name) => join(place.path, name));
    } finally {
      await folder.close();
    }
  } catch (error) {
    throw readingFault(path, error);
  }
}

interface Place {
  /** Path as named by the account. */
  readonly path: string;
  readonly absolute: string;
  takes(name: string): boolean;
}

/** The folder that is meant, if one is. A file that has such marks in its name is that file. */
async function placeOf({ path, absolute }: FileToRead): Promise<Place | undefined> {
  const found = await stat(absolute).catch(() => undefined);
  if (found?.isDirectory()) return { path, absolute, takes: () => true };
  const name = basename(absolute);
  if (found !== undefined || !/[*?]/.test(name)) return undefined;
  return { path: dirname(path), absolute: dirname(absolute), takes: (other) => fits(other, name) };
}

async function regularFiles(folder: OpenFolder): Promise<readonly string[]> {
  const names: string[] = [];
  for (const entry of await readdir(folder.within('.'), { withFileTypes: true })) {
    const isLinked = entry.isSymbolicLink() && (await leadsToFile(folder.within(entry.name)));
    if (entry.isFile() || isLinked) names.push(entry.name);
  }
  return names;
}

/** A dangling link is reported when it is read. */
async function leadsToFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined || found.isFile();
}
