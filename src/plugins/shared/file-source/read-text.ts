import type { ReadContext } from '../../../ports/index.ts';
import { fileFault } from './fault.ts';
import { foreignFormat, markedEncoding } from './foreign-format.ts';
import { inWords, type OpenFile, openFile } from './open-file.ts';
import { chunkDecoder } from './text-decoder.ts';

/** Large enough that waiting for the disk costs nothing beside parsing, small enough to keep the event loop free. */
const CHUNK_BYTES = 128 * 1024;

export interface TextFile {
  readonly path: string;
  readonly encoding: string;
}

/**
 * A file's text in chunks, without its byte order mark. Throws `AppError('failed')` in words for whatever is wrong with
 * it: missing, no regular file, empty, not text, bytes of another encoding, changed while it is read.
 */
export async function* readText(file: TextFile, context: ReadContext): AsyncGenerator<string, void, undefined> {
  const { path } = file;
  const opened = await openFile(path);
  try {
    if (opened.size === 0) throw fileFault(path, 'is empty');
    yield* decodeAll(file, opened, context);
    await opened.assertUnchanged();
  } catch (error) {
    throw inWords(path, error);
  } finally {
    await opened.handle.close();
  }
}

async function* decodeAll(
  { path, encoding }: TextFile,
  { handle, size }: OpenFile,
  { signal, progress }: ReadContext,
): AsyncGenerator<string, void, undefined> {
  const decoder = await chunkDecoder(path, encoding);
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let done = 0;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) break;
    const bytes = buffer.subarray(0, bytesRead);
    if (done === 0) refuseForeign(path, bytes, encoding);
    const text = decoder.decode(bytes);
    if (text.includes('\0')) throw fileFault(path, 'is a binary file: it holds NUL bytes');
    done += bytesRead;
    progress(done, size);
    if (text !== '') yield text;
  }
  const rest = decoder.end();
  if (rest !== '') yield rest;
}

function refuseForeign(path: string, bytes: Uint8Array, encoding: string): void {
  const foreign = foreignFormat(bytes);
  if (foreign !== undefined) throw fileFault(path, foreign);
  const marked = markedEncoding(bytes);
  const isUtf16 = /^(utf|ucs)[-_ ]?(16|2)/i.test(encoding);
  if (marked !== undefined && !isUtf16)
    throw fileFault(path, `is ${marked} by its byte order mark; set encoding to ${marked}`);
  if (marked === undefined && !isUtf16 && !/32/.test(encoding) && bytes.includes(0)) {
    throw fileFault(path, 'is a binary file: it holds NUL bytes');
  }
}
