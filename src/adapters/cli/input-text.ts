import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '../../ports/errors.ts';
import type { Terminal } from './terminal.ts';

const NEW_LINE = 0x0a;
const MAX_SECRET_BYTES = 64 * 1024;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EISDIR: 'it is a directory',
  ENOTDIR: 'the directory does not exist',
  EACCES: 'this user may not read it',
  ERR_FS_FILE_TOO_LARGE: 'it is too large',
};

/** Everything a file holds, or the standard input for `-`. */
export async function readInput(path: string, terminal: Terminal): Promise<Uint8Array> {
  try {
    return await bytesOf(
      path === '-' ? terminal.stdin : createReadStream(resolve(terminal.workingDirectory, path)),
      terminal.signal,
    );
  } catch (cause) {
    if (terminal.signal.aborted) throw cause;
    const reason = REASONS[(cause as NodeJS.ErrnoException).code ?? ''] ?? (cause as Error).message;
    throw new AppError('failed', `${path === '-' ? 'standard input' : path} cannot be read: ${reason}`, { cause });
  }
}

/** The first line of the standard input, for secrets. */
export async function readSecretLine(terminal: Terminal): Promise<string> {
  const line: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunksOf(terminal.stdin, terminal.signal)) {
    const end = chunk.indexOf(NEW_LINE);
    line.push(end < 0 ? chunk : chunk.subarray(0, end));
    length += chunk.length;
    if (end >= 0) break;
    if (length > MAX_SECRET_BYTES) {
      throw new AppError('invalid_input', 'the first line of the standard input is too long for a secret');
    }
  }
  return secretText(Buffer.concat(line)).replace(/\r$/, '');
}

/** Bytes that are not text would become other characters, and a secret that cannot be typed. */
function secretText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('invalid_input', 'the first line of standard input is not UTF-8 text', { cause });
  }
}

async function bytesOf(stream: Readable, signal: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of chunksOf(stream, signal)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* chunksOf(stream: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    signal.throwIfAborted();
    yield typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array);
  }
}
