import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../ports/index.ts';
import { beginsAsAge, bytesOfAge } from './age-file.ts';
import { type FileSeal, openedBytes } from './sealed-file.ts';

/** Longer than any record; a file without line ends must not fill the memory. */
const LONGEST_LINE = 256 * 1024 * 1024;
const NEWLINE = 0x0a;
const CHUNK_BYTES = 256 * 1024;

/** The keys to open an encrypted file. */
export interface BackupKeys {
  /** Returns the seal of the instance key; called only for a file sealed by it. */
  seal?(): FileSeal;
  /** Identities for a file that is encrypted for recipients. */
  readonly identities?: readonly string[];
}

export interface LinesOptions extends BackupKeys {
  readonly signal: AbortSignal;
  /** Called with the number of bytes of the file that were read since the last call. */
  onBytes?(count: number): void;
}

/** The lines of a compressed file, as bytes without their line ends. Throws when the file is not what gzip wrote. */
export async function* compressedLines(
  handle: FileHandle,
  file: string,
  { signal, onBytes, seal, identities = [] }: LinesOptions,
): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  // The reader of the result receives any failure.
  const chunks = fileChunks(handle, onBytes);
  const opened = (await isAge(handle))
    ? bytesOfAge(chunks, file, identities)
    : openedBytes(chunks, file, seal ?? (() => noSeal(file)));
  pipeline(opened, gunzip, () => undefined);
  let rest: Buffer[] = [];
  let restLength = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
        yield rest.length === 0 ? chunk.subarray(from, end) : Buffer.concat([...rest, chunk.subarray(from, end)]);
        rest = [];
        restLength = 0;
        from = end + 1;
      }
      if (from === chunk.length) continue;
      rest.push(chunk.subarray(from));
      restLength += chunk.length - from;
      if (restLength > LONGEST_LINE)
        throw new AppError('failed', `${file} is not a backup: it has a line that is too long`);
    }
  } catch (error) {
    throw explain(error, file);
  }
  if (restLength > 0) throw new AppError('failed', `the backup ${file} is truncated; use another copy of it`);
}

/** Whether the file was written by age. False for an unreadable file, which fails when it is read. */
async function isAge(handle: FileHandle): Promise<boolean> {
  const start = await handle.read({ buffer: Buffer.alloc(64), position: 0 }).catch(() => undefined);
  return start !== undefined && beginsAsAge(start.buffer.subarray(0, start.bytesRead));
}

function noSeal(file: string): never {
  throw new AppError('failed', `the backup ${file} is encrypted, and no instance key is at hand to open it`);
}

function explain(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof AppError || !('code' in error)) return error;
  if (error.code === 'Z_BUF_ERROR') {
    return new AppError('failed', `the backup ${file} is truncated; use another copy of it`, { cause: error });
  }
  if (String(error.code).startsWith('Z_')) {
    return new AppError('failed', `${file} is not a backup of Muster, or it is damaged (${error.message})`, {
      cause: error,
    });
  }
  if ('syscall' in error) {
    const reason = error.code === 'EISDIR' ? 'it is a directory' : String(error.code);
    return new AppError('failed', `the backup ${file} cannot be read: ${reason}`, { cause: error });
  }
  return error;
}

/** Not a stream of the file: that would close the handle, which is read more than once. */
async function* fileChunks(handle: FileHandle, onBytes: LinesOptions['onBytes']): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await handle.read({ buffer: Buffer.allocUnsafe(CHUNK_BYTES), position });
    if (bytesRead === 0) return;
    position += bytesRead;
    onBytes?.(bytesRead);
    yield buffer.subarray(0, bytesRead);
  }
}
