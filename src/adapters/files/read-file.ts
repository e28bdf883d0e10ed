import { constants } from 'node:fs';
import { type FileHandle, lstat, open, stat } from 'node:fs/promises';
import { worded } from '../../kit/worded.ts';
import type { FileReach, LocatedFile, SourcePlace } from '../../ports/files.ts';
import type { ReadContext } from '../../ports/source.ts';
import type { Bounds } from './bounds.ts';
import { fileFault, readingFault } from './fault.ts';
import { leadsTo, pathOfOpen } from './real-path.ts';

/** Large enough that waiting for the disk costs nothing compared with parsing, small enough to keep the event loop free. */
const PIECE_BYTES = 128 * 1024;

/** A FIFO would make opening wait for ever, and a terminal could become that of the service. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

export interface FileToRead {
  /** Path as named by the account. */
  readonly path: string;
  readonly absolute: string;
  readonly reach: FileReach;
}

/** Yields the bytes of a file that the account may read. Throws in words for any problem with it. */
export async function* readPieces(
  bounds: Bounds,
  file: FileToRead,
  { signal, progress }: ReadContext,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { path } = file;
  const handle = await openChecked(bounds, file);
  try {
    const before = await handle.stat();
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    for (let done = 0; ; ) {
      signal.throwIfAborted();
      const { bytesRead } = await handle.read(buffer, 0, PIECE_BYTES, null);
      if (bytesRead === 0) break;
      done += bytesRead;
      progress(done, before.size);
      yield buffer.subarray(0, bytesRead);
    }
    const after = await handle.stat();
    if (after.size !== before.size || after.mtimeMs !== before.mtimeMs) {
      throw fileFault(path, worded`changed while it was being read; import it again when it is complete`);
    }
  } catch (error) {
    throw readingFault(path, error);
  } finally {
    await handle.close();
  }
}

/** Locates a file that the account may read. Throws in words for any problem with it. */
export async function locateFile(bounds: Bounds, file: FileToRead): Promise<LocatedFile> {
  const { path, absolute, reach } = file;
  const handle = await openChecked(bounds, file);
  try {
    const checked = await handle.stat();
    const real = await pathOfOpen(handle, absolute);
    return {
      path: real,
      async requireSame() {
        const found = await lstat(real).catch(() => undefined);
        if (found?.ino !== checked.ino || found.dev !== checked.dev || (await leadsTo(real)) !== real) {
          throw fileFault(path, worded`was exchanged while it was opened; try again when it is not being moved`);
        }
        await bounds.require(real, path, 'source', reach, found);
      },
    };
  } finally {
    await handle.close();
  }
}

/** Implements `SourceFiles.place`. */
export async function placeToRead(bounds: Bounds, { path, absolute, reach }: FileToRead): Promise<SourcePlace> {
  try {
    const real = await leadsTo(absolute);
    await bounds.require(real, path, 'source', reach);
    const found = await stat(real);
    if (!found.isDirectory()) requireRegular(path, found);
    await bounds.require(real, path, 'source', reach, found);
    if (found.isDirectory()) await bounds.requireWithoutSecrets(real, path);
    return { path: real, isFolder: found.isDirectory() };
  } catch (error) {
    throw readingFault(path, error);
  }
}

/** Checks before it opens, because opening a device may have effects; the check of the open file decides. */
async function openChecked(bounds: Bounds, { path, absolute, reach }: FileToRead): Promise<FileHandle> {
  await bounds.require(await leadsTo(absolute), path, 'source', reach);
  let handle: FileHandle | undefined;
  try {
    requireRegular(path, await stat(absolute));
    handle = await open(absolute, FLAGS);
    const opened = await handle.stat();
    requireRegular(path, opened);
    await bounds.require(await pathOfOpen(handle, absolute), path, 'source', reach, opened);
    return handle;
  } catch (error) {
    await handle?.close();
    throw readingFault(path, error);
  }
}

function requireRegular(path: string, found: { isDirectory(): boolean; isFile(): boolean }): void {
  if (found.isDirectory()) throw fileFault(path, worded`is a directory; name the file in it`);
  if (!found.isFile()) throw fileFault(path, worded`is not a regular file`);
}
