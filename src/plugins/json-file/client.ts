import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Digest, digestOfFile } from './digest.ts';
import { inWords } from './fault.ts';
import { findPlace } from './place.ts';

/** The owner writes, the group reads, and nobody else: variables may hold secrets that rules put there. */
const MODE = 0o640;

export interface FileRun {
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  /** Called while it works on what nobody waits for piece by piece. */
  progress(): void;
}

/**
 * Makes the file hold this text. The old content stays until the new one is on the disk, then takes its place at once; a
 * text that breaks off changes nothing. Content that is the same leaves the file alone.
 */
export async function replaceFile(
  path: string,
  text: AsyncIterable<string>,
  run: FileRun,
): Promise<'written' | 'unchanged'> {
  const place = await findPlace(path);
  const temporary = join(dirname(place.path), `.${basename(place.path)}.${randomBytes(6).toString('hex')}.tmp`);
  let handle: FileHandle | undefined;
  try {
    if (!run.dryRun) handle = await open(temporary, 'wx', MODE);
    const digest = new Digest();
    for await (const piece of text) {
      const bytes = Buffer.from(piece);
      digest.add(bytes);
      await handle?.writeFile(bytes);
    }
    const isSame = place.size === digest.bytes && (await digestOfFile(place.path, run.signal)) === digest.text();
    run.progress();
    if (isSame || handle === undefined) return isSame ? 'unchanged' : 'written';
    await handle.chmod(MODE);
    await handle.sync();
    run.progress();
    run.signal.throwIfAborted();
    await rename(temporary, place.path);
    await syncFolder(dirname(place.path));
    return 'written';
  } catch (error) {
    throw inWords(path, error);
  } finally {
    await handle?.close();
    if (handle !== undefined) await rm(temporary, { force: true });
  }
}

/** Without it the new name may be lost in a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
