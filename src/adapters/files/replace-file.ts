import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import type { TargetRun } from '../../ports/target.ts';
import type { Bounds } from './bounds.ts';
import { Digest, digestOfFile } from './digest.ts';
import { writingFault } from './fault.ts';
import { type FileToWrite, targetPlace } from './target-place.ts';
import type { TemporaryNames } from './temporary-names.ts';

/** Writable by the owner, readable by the group, closed to all others: variables may hold secrets that rules put there. */
export const WRITTEN_MODE = 0o640;

/** Implements `TargetFiles.replace`. */
export async function replaceFile(
  { bounds, names }: { readonly bounds: Bounds; readonly names: TemporaryNames },
  file: FileToWrite,
  text: AsyncIterable<string>,
  { dryRun, signal, progress }: Pick<TargetRun, 'dryRun' | 'signal' | 'progress'>,
): Promise<'written' | 'unchanged'> {
  const { path } = file;
  const place = await targetPlace(bounds, file, { make: !dryRun });
  const temporary = place.within(`${names.fresh()}.tmp`);
  if (!dryRun) await names.sweep(place);
  let handle: FileHandle | undefined;
  try {
    if (!dryRun) handle = await open(temporary, 'wx', WRITTEN_MODE);
    const digest = new Digest();
    for await (const piece of text) {
      const bytes = Buffer.from(piece);
      digest.add(bytes);
      await handle?.writeFile(bytes);
    }
    const current = place.within(place.name);
    const isSame = place.size === digest.bytes && (await digestOfFile(current, signal)) === digest.text();
    progress();
    if (isSame || handle === undefined) return isSame ? 'unchanged' : 'written';
    await handle.chmod(WRITTEN_MODE);
    await handle.sync();
    progress();
    signal.throwIfAborted();
    await rename(temporary, current);
    await place.sync();
    return 'written';
  } catch (error) {
    throw writingFault(path, error);
  } finally {
    await handle?.close();
    if (handle !== undefined) await rm(temporary, { force: true });
    await place.close();
  }
}
