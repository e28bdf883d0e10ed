import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import type { ContentCoding } from './entity-tags.ts';

/** Smaller answers fit a packet or two uncompressed. */
export const COMPRESSION_THRESHOLD = 1024;

export type Compression = Exclude<ContentCoding, 'identity'>;

/** Node.js has it from 22.15 on, which our types do not know yet. */
const createZstdCompress = (zlib as { createZstdCompress?: (options: object) => Transform }).createZstdCompress;

/** Codings in which the files of the build are stored, the best first. */
const OF_FILES: readonly Compression[] = ['br', 'gzip'];
/** Codings that compress answers while they are made, the best first. */
export const OF_ANSWERS: readonly Compression[] = createZstdCompress === undefined ? OF_FILES : ['zstd', ...OF_FILES];

/** Returns the coding to answer in: the one the client prefers, or the first of those offered if it has no preference. */
export function chosenCoding(
  acceptEncoding: string | string[] | undefined,
  offered: readonly Compression[] = OF_FILES,
): ContentCoding {
  if (acceptEncoding === undefined) return 'identity';
  const qualities = new Map<string, number>();
  for (const part of String(acceptEncoding).toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    const value = quality === undefined ? 1 : Number(quality.slice(2));
    qualities.set(name === 'x-gzip' ? 'gzip' : name, Number.isFinite(value) ? value : 0);
  }
  const wildcard = qualities.get('*') ?? 0;
  const liked = offered.map((coding) => ({ coding, quality: qualities.get(coding) ?? wildcard }));
  const best = liked.reduce<(typeof liked)[number] | undefined>(
    (known, other) => (known === undefined || other.quality > known.quality ? other : known),
    undefined,
  );
  const identity = qualities.get('identity') ?? 0;
  return best !== undefined && best.quality > 0 && best.quality >= identity ? best.coding : 'identity';
}

/** Fast levels: an inventory is sent once to each client, and higher levels cost ten times as long for a tenth less. */
export function compressor(coding: Compression): Transform {
  const { constants } = zlib;
  if (coding === 'zstd' && createZstdCompress !== undefined) return createZstdCompress({ chunkSize: 65_536 });
  return coding === 'gzip'
    ? zlib.createGzip({ level: 1, chunkSize: 65_536 })
    : zlib.createBrotliCompress({ chunkSize: 65_536, params: { [constants.BROTLI_PARAM_QUALITY]: 2 } });
}
