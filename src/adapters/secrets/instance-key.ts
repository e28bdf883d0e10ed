import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../ports/index.ts';

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

/**
 * Reads the key file, making it (mode 0600) when it does not exist. Of several processes that start at once exactly one
 * makes the key and all of them use it.
 */
export function instanceKeyFile(path: string): Buffer {
  const existing = readKey(path);
  if (existing !== undefined) return existing;
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
  const made = readKey(path);
  if (made === undefined) throw unusable(path, undefined);
  return made;
}

/** A draft that could not be made is not there to be removed, and what hindered it is the better message. */
function removeDraft(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // Its directory is no directory, or may not be written.
  }
}

function readKey(path: string): Buffer | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(path, error);
  }
  return parseInstanceKey(text, path);
}

/** Where the key is, or would be, cannot be looked at: it is no file, its directory is none, or access is refused. */
export function unusable(path: string, cause: unknown): AppError {
  return new AppError('failed', `the instance key file ${path} cannot be used; check that its directory is writable`, {
    cause,
  });
}
