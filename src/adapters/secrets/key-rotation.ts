import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { AppError, type KeyRotation } from '../../ports/index.ts';
import { openAnywhere, readSealed, sealText, sealUnbound } from './aes-gcm.ts';
import { instanceKeyFile, type MayBeFirst, makeKeyFile, parseInstanceKey, readKeyFile } from './instance-key.ts';
import { previousKeyPath } from './instance-key-file.ts';

/**
 * Rotates a key that is kept in a file. The old key gets a second name (`.previous`), the new one is made next to it (`.next`)
 * and replaces the old one by a rename. Wherever this is cut off, every key that a secret may be under has a name, and the next
 * call continues from there: with `.previous` equal to the key, with `.previous` and a new key, or with neither.
 */
export function fileKeyRotation(path: string, mayBeFirst: MayBeFirst): KeyRotation {
  return {
    async rotate(reseal) {
      const release = lock(`${path}.lock`);
      try {
        const { old, current } = await beginRotation(path, mayBeFirst);
        const answer = await reseal(async (text, place) => {
          const sealed = readSealed(text);
          if (sealed === undefined) return undefined;
          const target = sealed.place ?? place;
          const known = openAnywhere(text, current);
          if (known !== undefined && target === (sealed.place ?? undefined)) return undefined;
          const plain = known ?? openAnywhere(text, old);
          if (plain === undefined) throw new AppError('failed', 'the secret was sealed under another instance key');
          return target === undefined ? sealUnbound(plain, current) : sealText(plain, current, target);
        });
        rmSync(previousKeyPath(path), { force: true });
        syncFolder(path);
        return answer;
      } finally {
        release();
      }
    },
  };
}

/** Refuses rotation of a key that this program cannot write. */
export function refusedKeyRotation(reason: string): KeyRotation {
  return {
    async rotate() {
      throw new AppError('failed', reason);
    },
  };
}

/** Makes the new key the current one. */
async function beginRotation(
  path: string,
  mayBeFirst: MayBeFirst,
): Promise<{ readonly old: Buffer; readonly current: Buffer }> {
  const previous = previousKeyPath(path);
  const current = await instanceKeyFile(path, mayBeFirst);
  if (!existsSync(previous)) linkSync(path, previous);
  const old = parseInstanceKey(readFileSync(previous, 'utf8'), previous);
  if (!old.equals(current)) return { old, current };
  const next = `${path}.next`;
  const made = readKeyFile(next) ?? makeKeyFile(next);
  // The old key must be safe under its second name before the first goes, and the new key before anything is sealed under it.
  syncFolder(path);
  renameSync(next, path);
  syncFolder(path);
  return { old, current: made };
}

function syncFolder(path: string): void {
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Lets one process at a time rotate. The lock of one that died is taken over. */
function lock(path: string): () => void {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw unwritable(path, error);
      if (isAlive(Number(readFileSync(path, 'utf8')))) break;
      rmSync(path, { force: true });
    }
  }
  throw new AppError('conflict', `the instance key is being rotated by another process; if not, delete ${path}`);
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return pid === process.pid;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function unwritable(path: string, cause: unknown): AppError {
  return new AppError('failed', `${path} cannot be written; check that its directory is writable`, { cause });
}
