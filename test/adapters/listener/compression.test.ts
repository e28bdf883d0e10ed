import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { chosenCoding, compressor, OF_ANSWERS } from '../../../src/adapters/listener/compression.ts';
import { knownTags } from '../../../src/adapters/listener/entity-tags.ts';

const ALL = ['zstd', 'br', 'gzip'] as const;

describe('the coding of an answer', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['zstd;q=0.5, br', 'br'],
    ['zstd;q=0', 'identity'],
    ['*;q=0.1', 'zstd'],
    ['identity, zstd;q=0.5', 'identity'],
    ['deflate', 'identity'],
  ])('for %s is %s where zstd is offered', (accepted, coding) => {
    expect(chosenCoding(accepted, ALL)).toBe(coding);
  });

  it('is none that nobody offers', () => {
    expect(chosenCoding('zstd')).toBe('identity');
    expect(chosenCoding('zstd, gzip')).toBe('gzip');
  });

  it('leaves tags the same for whoever asks whether they changed, also on another Node.js', () => {
    expect(knownTags('"abc-zstd", W/"def-br", "ghi"')).toEqual(['"abc"', '"def"', '"ghi"']);
  });

  it.each(OF_ANSWERS)('%s says the same as before', async (coding) => {
    const text = 'web01.example.org '.repeat(10_000);
    const stream = compressor(coding);
    stream.end(text);
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const { zstdDecompressSync } = zlib as { zstdDecompressSync?: (bytes: Buffer) => Buffer };
    const read = { gzip: zlib.gunzipSync, br: zlib.brotliDecompressSync, zstd: zstdDecompressSync }[coding];
    expect(read?.(bytes).toString()).toBe(text);
    expect(bytes.length).toBeLessThan(text.length / 4);
  });
});
