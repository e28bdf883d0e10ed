import { statfs } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { phrase } from '../../kit/worded.ts';
import type { MaintenanceServices } from './services.ts';

/** By the kernel's number of a file system: what the end of a container or a restart takes away. */
const PASSING: ReadonlyMap<number, string> = new Map([
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
  [0x794c7630, 'overlay'],
]);
/** File systems that several machines have at once. */
const OF_SEVERAL = new Set([
  0x6969, 0xff534d42, 0xfe534d42, 0x00c36400, 0x01021997, 0x0bd00bd0, 0x01161970, 0x7461636f,
]);

export interface KeptFolder {
  readonly folder: 'data' | 'backups';
  readonly path: string;
  /** Why its files do not last, or are on this node only; `undefined` when all nodes have them. */
  readonly reason: string | undefined;
  /** They go with the next restart. */
  readonly isPassing: boolean;
}

/** Room left for files of this user; `undefined` where the folder is not there. */
export async function freeBytes(folder: string): Promise<number | undefined> {
  const room = await statfs(folder).catch(() => undefined);
  return room === undefined ? undefined : room.bavail * room.bsize;
}

/** Folders of files outside of the database, if it is shared by several nodes; none if there is one node. */
export async function keptFolders(
  { config, machineFiles, hasOtherNodes }: Pick<MaintenanceServices, 'config' | 'machineFiles' | 'hasOtherNodes'>,
  typeOf = fileSystemOf,
): Promise<readonly KeptFolder[]> {
  const { dataFolder, backupFolder } = machineFiles;
  if (!hasOtherNodes) return [];
  // A separate folder, on a disk that stays, was chosen on purpose.
  const isOwn = relative(dataFolder, backupFolder).startsWith('..');
  return [
    kept('data', dataFolder, await typeOf(dataFolder), config.SHARED_DATA),
    kept('backups', backupFolder, await typeOf(backupFolder), config.SHARED_DATA || isOwn),
  ];
}

function kept(folder: KeptFolder['folder'], path: string, type: number, isChosen: boolean): KeptFolder {
  const isPassing = PASSING.has(type);
  const lasts = OF_SEVERAL.has(type) || isChosen;
  const reason = isPassing
    ? phrase`it is in memory or in the file system of a container, and is gone with the next restart`
    : lasts
      ? undefined
      : phrase`it is on this node only`;
  return { folder, path, reason, isPassing };
}

/** The file system of a folder; for one that does not exist yet, that of its parent. */
async function fileSystemOf(folder: string): Promise<number> {
  const found = await statfs(folder).catch(() => undefined);
  if (found !== undefined) return found.type;
  return dirname(folder) === folder ? 0 : fileSystemOf(dirname(folder));
}
