import { otherBytes } from './fault.ts';

/** Decodes bytes to text, chunk by chunk. Throws for bytes that are not text in the encoding, naming the line. */
export interface ChunkDecoder {
  decode(bytes: Uint8Array): string;
  end(): string;
}

/** Names of UTF-8 that other programs use; `utf-8-sig` is Python's name for UTF-8 with a byte order mark. */
const UTF8_NAMES: ReadonlySet<string> = new Set(['utf8', 'utf8sig', 'utf8bom']);
const LINE_FEED = 0x0a;

export async function chunkDecoder(path: string, encoding: string): Promise<ChunkDecoder> {
  const name = encoding.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  if (UTF8_NAMES.has(name)) return utf8Decoder(path);
  const { otherDecoder } = await import('./other-decoder.ts');
  return otherDecoder(path, encoding);
}

function utf8Decoder(path: string): ChunkDecoder {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  let open = Buffer.alloc(0);
  const run = (bytes: Uint8Array, last: boolean): string => {
    try {
      const text = decoder.decode(bytes, { stream: !last });
      line += countLines(bytes);
      open = unfinished(bytes);
      return text;
    } catch (cause) {
      const wrong = line + faultyLine(Buffer.concat([open, bytes]));
      throw otherBytes(path, 'UTF-8', wrong, cause);
    }
  };
  return { decode: (bytes) => run(bytes, false), end: () => run(new Uint8Array(), true) };
}

/** Returns the bytes of a character that continues in the next chunk, so that a fault there is reported for the right line. */
function unfinished(bytes: Uint8Array): Buffer<ArrayBuffer> {
  const from = bytes.lastIndexOf(LINE_FEED) + 1;
  return Buffer.from(bytes.subarray(Math.max(from, bytes.length - 3)));
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) lines++;
  return lines;
}

/**
 * Returns the number of line ends before the first bytes that are not UTF-8. Lines are independent: no multi-byte character
 * contains 0x0a.
 */
function faultyLine(bytes: Buffer): number {
  let lines = 0;
  for (let from = 0; from < bytes.length; lines++) {
    const end = bytes.indexOf(LINE_FEED, from);
    const line = bytes.subarray(from, end === -1 ? bytes.length : end);
    if (!isUtf8Text(line)) return lines;
    if (end === -1) break;
    from = end + 1;
  }
  return lines;
}

function isUtf8Text(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
