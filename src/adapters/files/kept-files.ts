import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, sep } from 'node:path';
import { phrase, worded } from '../../kit/worded.ts';
import { type FileAccess, type FileReach, type FileRoom, FolderFull } from '../../ports/files.ts';
import { Bounds } from './bounds.ts';
import { fileFault, writingFault } from './fault.ts';
import type { LocalFilesOptions } from './local-files.ts';
import { WRITTEN_MODE } from './replace-file.ts';
import { type TargetPlace, targetPlace } from './target-place.ts';

/** Returns a path relative to the working directory if below it; absolute elsewhere, and if the configuration has it so. */
export function namedByAccounts(
  { workingDirectory, absoluteFolders }: Pick<LocalFilesOptions, 'workingDirectory' | 'absoluteFolders'>,
  absolute: string,
): string {
  if (absoluteFolders.some((folder) => absolute === folder || absolute.startsWith(folder + sep))) return absolute;
  const shown = relative(workingDirectory, absolute);
  return shown.startsWith('..') || isAbsolute(shown) ? absolute : shown;
}

/** Stores files for sources, one after the other, so that simultaneous ones do not claim the same room. */
export function keptFiles(options: LocalFilesOptions): FileAccess['keep'] {
  let last: Promise<unknown> = Promise.resolve();
  return (name, text, room, replaces = false) => {
    const kept = last.then(() => keepFile(options, { name, text, room, replaces }));
    last = kept.catch(() => undefined);
    return kept;
  };
}

interface KeptFile {
  readonly name: string;
  readonly text: string | Uint8Array;
  readonly room: FileRoom | undefined;
  readonly replaces: boolean;
}

/** Applies the bounds of what targets write to the folders that sources read. */
async function keepFile(options: LocalFilesOptions, { name, text, room, replaces }: KeptFile): Promise<string> {
  const [folder] = options.sourceFolders;
  if (folder === undefined || basename(name) !== name) throw fileFault(name, worded`cannot be kept for sources`);
  const absolute = join(folder, name);
  const path = namedByAccounts(options, absolute);
  const bounds = new Bounds({ ...options, targetFolders: [folder] });
  const place = await targetPlace(bounds, { path, absolute, reach: WITHIN }, { make: true });
  // A reader of the replaced file gets either the old one or the new one, never a part.
  const written = replaces ? `.${place.name}.tmp` : place.name;
  let handle: FileHandle | undefined;
  try {
    if (place.size !== undefined && !replaces) throw fileFault(path, worded`is there already; choose another name`);
    if (room !== undefined) await requireRoom(place, namedByAccounts(options, folder), text, room);
    if (replaces) await rm(place.within(written), { force: true });
    handle = await open(place.within(written), 'wx', WRITTEN_MODE);
    await handle.writeFile(text);
    await handle.sync();
    if (replaces) await rename(place.within(written), place.within(place.name));
    await place.sync();
    return path;
  } catch (error) {
    // A partly written file is not one to import.
    if (handle !== undefined) await rm(place.within(written), { force: true });
    throw error instanceof FolderFull ? error : writingFault(path, error);
  } finally {
    await handle?.close();
    await place.close();
  }
}

const WITHIN: FileReach = { anywhere: false, advice: phrase`ask the operator of the machine` };

async function requireRoom(
  place: TargetPlace,
  folder: string,
  text: string | Uint8Array,
  room: FileRoom,
): Promise<void> {
  let taken = -(place.size ?? 0);
  for (const entry of await readdir(place.within('.'), { withFileTypes: true })) {
    if (!entry.isFile() || !room.counts(entry.name)) continue;
    // A file deleted in the meantime takes no room.
    taken += (await stat(place.within(entry.name)).catch(() => undefined))?.size ?? 0;
  }
  if (taken + Buffer.byteLength(text) > room.most) throw new FolderFull(folder, taken);
}
