import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/index.ts';

/**
 * Whether there may be no key yet: nothing in the store was sealed. An instance that lost its key must not get another one
 * unasked.
 */
export type MayBeFirst = () => Promise<boolean>;

/** Bytes of an instance key (AES-256). */
const KEY_BYTES = 32;

/** Reads a key given as 64 hex digits or as base64 of 32 bytes. */
export function parseInstanceKey(text: string, origin: string): Buffer {
  const trimmed = text.trim();
  const key = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, 'hex') : Buffer.from(trimmed, 'base64');
  if (key.length !== KEY_BYTES) {
    throw new AppError('invalid_input', `the instance key of ${origin} must be ${KEY_BYTES} bytes as hex or base64`);
  }
  return key;
}

/** Reads the key file, making it when it does not exist and may be made. */
export async function instanceKeyFile(path: string, mayBeFirst: MayBeFirst): Promise<Buffer> {
  const existing = readKeyFile(path);
  if (existing !== undefined) return existing;
  if (await mayBeFirst()) return makeKeyFile(path);
  // Another process may have created it in the meantime, and sealed something with it.
  const made = readKeyFile(path);
  if (made === undefined) throw missing(path);
  return made;
}

/**
 * Creates the key file (mode 0600) if there is none. If several processes do so at once, exactly one makes the key and all of
 * them use it.
 */
export function makeKeyFile(path: string): Buffer {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
    chmodSync(draft, 0o600);
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(path, error);
  } finally {
    removeDraft(draft);
  }
  const made = readKeyFile(path);
  if (made === undefined) throw unusable(path, undefined);
  return made;
}

/** A draft that could not be created need not be removed, and the original error is the better message. */
function removeDraft(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // Its parent is not a directory, or may not be written.
  }
}

/** `undefined` when there is none. */
export function readKeyFile(path: string): Buffer | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(path, error);
  }
  try {
    return parseInstanceKey(text, path);
  } catch (cause) {
    throw new AppError(
      'failed',
      worded`the instance key of ${{ file: path }} must be 32 bytes as hex or base64, and the file holds something else: put the right one back from your backup`,
      { cause },
    );
  }
}

export function missing(path: string): AppError {
  return new AppError(
    'failed',
    worded`the instance key file ${{ file: path }} is missing, and stored secrets were encrypted with its key: put the file back from your backup. Only if it is lost for good, begin with a new key: see "When the key is lost" in the documentation of operations`,
  );
}

/** The path of the key cannot be inspected: it is not a file, its parent is not a directory, or access is refused. */
export function unusable(path: string, cause: unknown): AppError {
  return new AppError('failed', `the instance key file ${path} cannot be used; check that its directory is writable`, {
    cause,
  });
}
