import { readdir, readFile, unlink } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import type { FileAccess, FileReach, TargetFiles } from '../../ports/files.ts';
import type { ProcessIdentity } from '../../ports/index.ts';
import { Bounds, type Places } from './bounds.ts';
import { digestOfFile } from './digest.ts';
import { readingFault, writingFault } from './fault.ts';
import { keptFiles, namedByAccounts } from './kept-files.ts';
import { ANY_NAME, listSourceFiles } from './list-files.ts';
import { locateFile, placeToRead, readPieces } from './read-file.ts';
import { leadsTo } from './real-path.ts';
import { replaceFile } from './replace-file.ts';
import { stageFiles } from './stage-files.ts';
import { type FileToWrite, openFolder, targetPlace } from './target-place.ts';
import { TemporaryNames } from './temporary-names.ts';

export interface LocalFilesOptions extends Places {
  /** Relative paths of accounts start here. */
  readonly workingDirectory: string;
  /** Absolute folders of the configuration: accounts name files in them absolutely too, wherever the service starts. */
  readonly absoluteFolders: readonly string[];
  /** Marks temporary files next to others, so that a later run deletes those of a dead process. */
  readonly process: ProcessIdentity;
}

/** Files of this machine, below the folders that accounts may use. */
export function localFiles(options: LocalFilesOptions): FileAccess {
  const bounds = new Bounds(options);
  const names = new TemporaryNames(options.process);
  const file = (path: string, reach: FileReach) => ({
    path,
    absolute: resolve(options.workingDirectory, path),
    reach,
  });
  return {
    sources: (reach) => ({
      read: (path, context) => readPieces(bounds, file(path, reach), context),
      list: (path) => listSourceFiles(bounds, file(path, reach)),
      locate: (path) => locateFile(bounds, file(path, reach)),
      place: (path) => placeToRead(bounds, file(path, reach)),
    }),
    targets: (reach): TargetFiles => ({
      replace: (path, text, run) => replaceFile({ bounds, names }, file(path, reach), text, run),
      async size(path) {
        const place = await targetPlace(bounds, file(path, reach), { make: false });
        await place.close();
        return place.size;
      },
      read: (path) => readText(bounds, file(path, reach)),
      digest: (path) => digestAt(bounds, file(path, reach)),
      stage: (folder, run) =>
        stageFiles({
          bounds,
          names,
          fileOf: (path) => file(path, reach),
          folder: resolve(options.workingDirectory, folder),
          run,
        }),
      list: (folder) => listFiles(bounds, file(folder, reach)),
      remove: (path) => removeFile(bounds, file(path, reach)),
    }),
    async beginning(path) {
      const reaches = async (absolute: string): Promise<boolean> => bounds.allows(await leadsTo(absolute), 'target');
      if (await reaches(resolve(options.workingDirectory, path))) return '';
      const [first] = options.targetFolders;
      if (first === undefined || isAbsolute(path) || !(await reaches(resolve(first, path)))) return undefined;
      return namedByAccounts(options, first);
    },
    folders: () => ({
      sources: options.sourceFolders.map((folder) => namedByAccounts(options, folder)),
      targets: options.targetFolders.map((folder) => namedByAccounts(options, folder)),
    }),
    keep: keptFiles(options),
  };
}

async function listFiles(bounds: Bounds, { path, absolute, reach }: FileToWrite): Promise<readonly string[]> {
  const require = (real: string): Promise<void> => bounds.require(join(real, ANY_NAME), path, 'target', reach);
  await require(await leadsTo(absolute));
  try {
    const folder = await openFolder(absolute);
    try {
      await require(folder.real);
      const entries = await readdir(folder.within('.'), { withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
        .sort();
    } finally {
      await folder.close();
    }
  } catch (error) {
    throw readingFault(path, error);
  }
}

async function removeFile(bounds: Bounds, file: FileToWrite): Promise<void> {
  const place = await targetPlace(bounds, file, { make: false });
  try {
    if (place.size !== undefined) await unlink(place.within(place.name));
  } catch (error) {
    throw writingFault(file.path, error);
  } finally {
    await place.close();
  }
}

function readText(bounds: Bounds, file: FileToWrite): Promise<string | undefined> {
  return ofPresent(bounds, file, (path) => readFile(path, 'utf8'));
}

function digestAt(bounds: Bounds, file: FileToWrite): Promise<string | undefined> {
  return ofPresent(bounds, file, (path) => digestOfFile(path, new AbortController().signal));
}

async function ofPresent<T>(
  bounds: Bounds,
  file: FileToWrite,
  work: (path: string) => Promise<T>,
): Promise<T | undefined> {
  const place = await targetPlace(bounds, file, { make: false });
  try {
    return place.size === undefined ? undefined : await work(place.within(place.name));
  } catch (error) {
    throw readingFault(file.path, error);
  } finally {
    await place.close();
  }
}
