import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';

/** Node.js has it from 22.15 and 23.8 on. */
const createZstdDecompress = (zlib as { createZstdDecompress?: () => Transform }).createZstdDecompress;

/** Begins to unpack one body. */
export type BodyDecoder = () => Transform;

const DECODERS: ReadonlyMap<string, BodyDecoder> = new Map([
  ['gzip', () => zlib.createGunzip()],
  ['x-gzip', () => zlib.createGunzip()],
  ['deflate', () => zlib.createInflate()],
  ['br', () => zlib.createBrotliDecompress()],
  ...(createZstdDecompress === undefined ? [] : [['zstd', () => createZstdDecompress()] as const]),
]);

/** How bodies may be compressed, for messages. */
export const BODY_CODINGS = [...DECODERS.keys()].filter((coding) => coding !== 'x-gzip').join(', ');

/** Returns a stream that unpacks a body; `undefined` for an unknown coding. */
export function decoderOf(coding: string): BodyDecoder | undefined {
  return DECODERS.get(coding);
}
