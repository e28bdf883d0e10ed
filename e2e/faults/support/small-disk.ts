import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A file system of a few megabytes, so that it can be full while the machine's own is not. */
export class SmallDisk {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Why there is none where this cannot be made: it takes the right to mount, which root has on Linux, and not in every container. */
  static async make(path: string, megabytes: number): Promise<SmallDisk | string> {
    await mkdir(path, { recursive: true });
    try {
      await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', path]);
    } catch (error) {
      return `no small disk can be mounted here: ${error instanceof Error ? error.message : String(error)}`;
    }
    return new SmallDisk(path);
  }

  /** Leaves no byte. */
  async fill(name: string): Promise<void> {
    for (const size of [1024 * 1024, 4096]) {
      for (let part = 0; ; part++) {
        try {
          await writeFile(join(this.path, `${name}-${size}-${part}`), Buffer.alloc(size), { flag: 'wx' });
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          break;
        }
      }
    }
  }

  /** Removes what was written under this name, whole or not. */
  async free(name: string): Promise<void> {
    for (const file of await readdir(this.path)) {
      if (file.startsWith(`${name}-`)) await rm(join(this.path, file));
    }
  }

  async remove(): Promise<void> {
    await promisify(execFile)('umount', ['--lazy', this.path]);
  }
}
