import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '../../ports/errors.ts';
import type { Terminal } from './terminal.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  ENOTDIR: 'there is no such directory',
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
  const text = new TextDecoder().decode(await bytesOf(terminal.stdin, terminal.signal));
  return text.split(/\r?\n/, 1)[0] ?? '';
}

async function bytesOf(stream: Readable, signal: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) {
    signal.throwIfAborted();
    chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array));
  }
  return Buffer.concat(chunks);
}
