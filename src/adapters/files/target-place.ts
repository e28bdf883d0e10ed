import { constants } from 'node:fs';
import { access, type FileHandle, lstat, mkdir, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { worded } from '../../kit/worded.ts';
import type { FileReach } from '../../ports/files.ts';
import type { Bounds } from './bounds.ts';
import { fileFault, isSystemError, NO_FOLDER, writingFault } from './fault.ts';
import { descriptorPath, isBelow, leadsTo, pathOfOpen } from './real-path.ts';

/** New folders are for the service, and for its group to look into. */
const FOLDER_MODE = 0o750;

export interface FileToWrite {
  /** Path as named by the account. */
  readonly path: string;
  readonly absolute: string;
  readonly reach: FileReach;
}

/** Present or future location of a file: a name in a folder that is held open, so that it stays the one that was checked. */
export interface TargetPlace {
  readonly name: string;
  /** Size of the existing file. */
  readonly size: number | undefined;
  /** The path of a name in the folder. */
  within(name: string): string;
  /** Puts names on the disk. Without it a new one may be lost in a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A folder that is held open. */
export interface OpenFolder {
  readonly real: string;
  within(name: string): string;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Examines the target. Folders below `below` may be created, if that one exists or may be created. Throws in words if the account
 * may not write there, or if writing is impossible.
 */
export async function targetPlace(
  bounds: Bounds,
  { path, absolute, reach }: FileToWrite,
  { make, below }: { readonly make: boolean; readonly below?: string },
): Promise<TargetPlace> {
  await bounds.require(await leadsTo(absolute), path, 'target', reach);
  let folder: OpenFolder | undefined;
  try {
    // The file behind a link is written, and the link stays.
    const real = await realpath(absolute).catch(onlyMissing);
    const wanted = real ?? absolute;
    const name = basename(wanted);
    folder = await openFolder(dirname(wanted)).catch(onlyMissing);
    if (folder === undefined) {
      // The folders for exports are created on demand; others are left to the operator.
      const missing = await leadsTo(dirname(wanted));
      const isOurs = below !== undefined && isBelow(missing, await leadsTo(below)) && (await isThere(below, bounds));
      if (!isOurs && !(await bounds.isTargetFolder(missing))) throw fileFault(path, NO_FOLDER);
      if (!make) return futurePlace(missing, name);
      await mkdir(missing, { recursive: true, mode: FOLDER_MODE });
      folder = await openFolder(missing);
    }
    await bounds.require(join(folder.real, name), path, 'target', reach);
    await access(folder.within('.'), constants.W_OK | constants.X_OK);
    const found = await lstat(folder.within(name)).catch(onlyMissing);
    if (found?.isDirectory()) throw fileFault(path, worded`is a folder; name a file in it`);
    if (real !== undefined && found?.isFile() === false) throw fileFault(path, worded`is not a regular file`);
    return { ...folder, name, size: found?.isFile() ? found.size : undefined };
  } catch (error) {
    await folder?.close();
    throw writingFault(path, error);
  }
}

/** Throws `ENOTDIR` for anything other than a folder. */
export async function openFolder(path: string): Promise<OpenFolder> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NONBLOCK);
  try {
    const real = await pathOfOpen(handle, path);
    const base = await heldPath(handle, real);
    return {
      real,
      within: (name) => join(base, name),
      sync: () => handle.sync(),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Names below the descriptor stay in this very folder, even if it is moved or replaced by a link. */
async function heldPath(handle: FileHandle, real: string): Promise<string> {
  const held = descriptorPath(handle);
  return (await stat(held).catch(() => undefined)) === undefined ? real : held;
}

async function isThere(folder: string, bounds: Bounds): Promise<boolean> {
  const found = await stat(folder).catch(onlyMissing);
  return found?.isDirectory() ?? (await bounds.isTargetFolder(await leadsTo(folder)));
}

/** Returns a place in a folder that a real run would create. */
function futurePlace(folder: string, name: string): TargetPlace {
  const nothing = async (): Promise<void> => undefined;
  return { name, size: undefined, within: (other) => join(folder, other), sync: nothing, close: nothing };
}

function onlyMissing(error: unknown): undefined {
  if (isSystemError(error) && error.code === 'ENOENT') return undefined;
  throw error;
}
