import type { ReadContext, SourceFiles } from '../../ports/index.ts';
import { worded } from '../worded.ts';
import { fileFault } from './fault.ts';
import { foreignFormat, markedEncoding } from './foreign-format.ts';
import { chunkDecoder } from './text-decoder.ts';

export interface TextFile {
  readonly path: string;
  readonly encoding: string;
}

/**
 * A file's text in chunks, without its byte order mark. Throws `AppError('failed')` in words for whatever is wrong with
 * it: missing, no regular file, not one that the account may read, empty, not text, bytes of another encoding, changed
 * while it is read.
 */
export async function* readText(
  { path, encoding }: TextFile,
  files: Pick<SourceFiles, 'read'>,
  context: ReadContext,
): AsyncGenerator<string, void, undefined> {
  let decoder: Awaited<ReturnType<typeof chunkDecoder>> | undefined;
  for await (const bytes of files.read(path, context)) {
    if (decoder === undefined) {
      refuseForeign(path, bytes, encoding);
      decoder = await chunkDecoder(path, encoding);
    }
    const text = decoder.decode(bytes);
    if (text.includes('\0')) throw fileFault(path, worded`is a binary file: it contains NUL bytes`);
    if (text !== '') yield text;
  }
  if (decoder === undefined) throw fileFault(path, worded`is empty`);
  const rest = decoder.end();
  if (rest !== '') yield rest;
}

function refuseForeign(path: string, bytes: Uint8Array, encoding: string): void {
  const foreign = foreignFormat(bytes);
  if (foreign !== undefined) throw fileFault(path, foreign);
  const marked = markedEncoding(bytes);
  const isUtf16 = /^(utf|ucs)[-_ ]?(16|2)/i.test(encoding);
  if (marked !== undefined && !isUtf16)
    throw fileFault(path, worded`is ${{ marked }} by its byte order mark; set encoding to ${{ encoding: marked }}`);
  if (marked === undefined && !isUtf16 && !/32/.test(encoding) && bytes.includes(0)) {
    throw fileFault(path, worded`is a binary file: it contains NUL bytes`);
  }
}
