import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Said, worded } from '../../kit/worded.ts';
import type { FileReach } from '../../ports/files.ts';
import { fileFault } from './fault.ts';
import { isBelow, leadsTo } from './real-path.ts';

/** Files and folders by purpose, as absolute paths. */
export interface Places {
  /** Folders that accounts read from. */
  readonly sourceFolders: readonly string[];
  /** Folders that accounts write into. */
  readonly targetFolders: readonly string[];
  /** The folder of the service's own data. Accounts can only reach `openInData` in it. */
  readonly dataFolder: string;
  readonly openInData: readonly string[];
  /** Folders whose own files belong to the service, such as its configuration; folders in them do not. */
  readonly configurationFolders: readonly string[];
  /** Code that the service runs: programs, plugins, playbooks. Only the operator may write it. */
  readonly programs: readonly string[];
  /** Files that are out of reach of every account, even if its owner names them: keys, the database, the configuration. */
  readonly secretFiles: readonly string[];
}

export type Use = 'source' | 'target';

const WORDS = {
  source: {
    folders: 'sourceFolders',
    key: 'FILE_SOURCE_DIRS',
    outside: (folders: Said, key: string, advice: Said) =>
      worded`is outside the folders that sources read (${{ folders }}): put it there, add its folder to ${{ key }}, or ${{ advice }}`,
  },
  target: {
    folders: 'targetFolders',
    key: 'FILE_TARGET_DIRS',
    outside: (folders: Said, key: string, advice: Said) =>
      worded`is outside the folders that targets write (${{ folders }}): write it there, add its folder to ${{ key }}, or ${{ advice }}`,
  },
} as const;

/** A file that is open or there, to be known under any of its names. */
export interface FileIdentity {
  readonly dev: number;
  readonly ino: number;
}

/** Decides about real paths. Folders are followed at each question, because they may be made or moved while the service runs. */
export class Bounds {
  readonly #places: Places;

  constructor(places: Places) {
    this.#places = places;
  }

  /**
   * Throws unless the account may use the file at the real path. `path` is the account's name for it. `identity` finds secret
   * files under other names.
   */
  async require(real: string, path: string, use: Use, reach: FileReach, identity?: FileIdentity): Promise<void> {
    if (await this.#isSecret(real, identity)) {
      throw fileFault(path, worded`belongs to the service itself, which keeps secrets in it; no account can use it`);
    }
    if (reach.anywhere) return;
    const { folders, key, outside } = WORDS[use];
    const allowed = this.#places[folders];
    if (!(await isBelowOne(real, allowed))) {
      throw fileFault(path, outside(allowed.join(', ') || worded`none`, key, reach.advice));
    }
    if (await this.#isOwn(real, use)) {
      throw fileFault(
        path,
        worded`is among the files of the service itself; use another folder and name it in ${{ key }}`,
      );
    }
  }

  /** Whether an account that no user of the machine vouches for may use the file at the real path. */
  async allows(real: string, use: Use): Promise<boolean> {
    return this.require(real, real, use, { anywhere: false, advice: '' }).then(
      () => true,
      () => false,
    );
  }

  /** Throws if a file that no account may reach is below the folder, since a program that reads the folder would find it. */
  async requireWithoutSecrets(folder: string, path: string): Promise<void> {
    for (const file of this.#places.secretFiles) {
      if (!isBelow(await leadsTo(file), folder)) continue;
      throw fileFault(path, worded`holds files in which the service itself keeps secrets; use a folder without them`);
    }
  }

  /** Whether it is one of the folders that targets write into, or below one that the service keeps itself, so that it may be made. */
  async isTargetFolder(real: string): Promise<boolean> {
    const { targetFolders, openInData } = this.#places;
    const folders = await Promise.all(targetFolders.map(leadsTo));
    return (
      folders.includes(real) ||
      (await isBelowOne(
        real,
        targetFolders.filter((folder) => openInData.includes(folder)),
      ))
    );
  }

  async #isOwn(real: string, use: Use): Promise<boolean> {
    const { dataFolder, openInData, configurationFolders, programs } = this.#places;
    if (await isBelowOne(real, openInData)) return false;
    if (await isBelowOne(real, [dataFolder])) return true;
    const configuration = await Promise.all(configurationFolders.map(leadsTo));
    if (configuration.includes(dirname(real))) return true;
    return use === 'target' && (programs.includes(real) || (await isBelowOne(real, programs)));
  }

  async #isSecret(real: string, identity: FileIdentity | undefined): Promise<boolean> {
    for (const file of this.#places.secretFiles) {
      if ((await leadsTo(file)) === real) return true;
      if (identity === undefined) continue;
      const found = await stat(file).catch(() => undefined);
      if (found !== undefined && found.ino === identity.ino && found.dev === identity.dev) return true;
    }
    return false;
  }
}

async function isBelowOne(real: string, folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) if (isBelow(real, await leadsTo(folder))) return true;
  return false;
}
