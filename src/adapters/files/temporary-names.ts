import { randomBytes } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import type { ProcessIdentity } from '../../ports/index.ts';
import type { OpenFolder } from './target-place.ts';

const NAME = /^\.muster\.(\S+)\.[0-9a-f]{16}\.(?:part|tmp)$/;
/** Longer ones leave no room for the rest in the name of a file. */
const LONGEST_PROCESS = 180;
/** A file left unwritten for this time belongs to no run, on any machine. */
const ABANDONED_MS = 7 * 24 * 60 * 60 * 1000;

/** Names of temporary files that replace others, or are deleted, before a run ends. They identify the process that wrote them. */
export class TemporaryNames {
  readonly #process: ProcessIdentity;

  constructor(process: ProcessIdentity) {
    this.#process = process;
  }

  /** A new name without its ending. */
  fresh(): string {
    const writer = encodeURIComponent(this.#process.name);
    return `.muster.${writer.length > LONGEST_PROCESS ? 'unknown' : writer}.${randomBytes(8).toString('hex')}`;
  }

  /**
   * Deletes what processes killed in the middle of a run left in a folder. Files that cannot be deleted stay, without an error.
   */
  async sweep(folder: Pick<OpenFolder, 'within'>): Promise<void> {
    const entries = await readdir(folder.within('.'), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const writer = entry.isFile() ? NAME.exec(entry.name)?.[1] : undefined;
      if (writer === undefined) continue;
      const path = folder.within(entry.name);
      if (this.#isDead(writer) || (await isAbandoned(path))) await rm(path, { force: true }).catch(() => undefined);
    }
  }

  #isDead(writer: string): boolean {
    try {
      return this.#process.isDead(decodeURIComponent(writer));
    } catch {
      return false;
    }
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > ABANDONED_MS;
}
