import iconv from 'iconv-lite';
import { worded } from '../worded.ts';
import { fileFault, otherBytes, shown } from './fault.ts';
import type { ChunkDecoder } from './text-decoder.ts';

const REPLACEMENT = '\ufffd';

/** Encodings other than UTF-8. In a module of its own, so that the tables are loaded for those who need them. */
export function otherDecoder(path: string, encoding: string): ChunkDecoder {
  if (!iconv.encodingExists(encoding)) {
    const known = 'utf-8, utf-16le, latin1, cp1252, …';
    throw fileFault(
      path,
      worded`cannot be read: ${{ encoding: shown(encoding) }} is not a known encoding (${{ known }})`,
    );
  }
  const decoder = iconv.getDecoder(encoding);
  // Every bit pattern of UTF-16 but half a pair is text, and a file may well hold the character itself.
  const checked = !/^(utf|ucs)/i.test(encoding);
  let line = 1;
  const check = (text: string): string => {
    const wrong = checked ? text.indexOf(REPLACEMENT) : -1;
    if (wrong !== -1) {
      line += text.slice(0, wrong).split('\n').length - 1;
      throw otherBytes(path, encoding, line);
    }
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) line++;
    return text;
  };
  return {
    decode: (bytes) => check(decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))),
    end: () => check(decoder.end() ?? ''),
  };
}
