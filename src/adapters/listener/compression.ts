import type { Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { ContentCoding } from './entity-tags.ts';

/** Smaller answers fit a packet or two as they are. */
export const COMPRESSION_THRESHOLD = 1024;

/** The coding to answer in: what the client likes best, brotli before gzip where it does not care. */
export function chosenCoding(acceptEncoding: string | string[] | undefined): ContentCoding {
  if (acceptEncoding === undefined) return 'identity';
  const qualities = new Map<string, number>();
  for (const part of String(acceptEncoding).toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    const value = quality === undefined ? 1 : Number(quality.slice(2));
    qualities.set(name === 'x-gzip' ? 'gzip' : name, Number.isFinite(value) ? value : 0);
  }
  const wildcard = qualities.get('*') ?? 0;
  const br = qualities.get('br') ?? wildcard;
  const gzip = qualities.get('gzip') ?? wildcard;
  const identity = qualities.get('identity') ?? 0;
  if (br > 0 && br >= gzip && br >= identity) return 'br';
  return gzip > 0 && gzip >= identity ? 'gzip' : 'identity';
}

/** Fast levels: an inventory is sent once to each client, and higher levels cost ten times as long for a tenth less. */
export function compressor(coding: 'gzip' | 'br'): Transform {
  return coding === 'gzip'
    ? createGzip({ level: 1, chunkSize: 65_536 })
    : createBrotliCompress({ chunkSize: 65_536, params: { [constants.BROTLI_PARAM_QUALITY]: 2 } });
}
