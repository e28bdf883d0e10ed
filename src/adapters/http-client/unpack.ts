import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, type Zlib } from 'node:zlib';
import { WordedError, worded } from '../../kit/worded.ts';

/** The answer is packed in a way that was not requested. */
export class Unpackable extends WordedError {
  override readonly name = 'Unpackable';
}

export class TooLarge extends Error {
  override readonly name = 'TooLarge';
  readonly limit: number;

  constructor(limit: number) {
    super(`more than ${limit} bytes`);
    this.limit = limit;
  }
}

export const ACCEPT_ENCODING = 'gzip, deflate, br';
/** More than one is legal, and more than two never occur. */
const MOST_CODINGS = 2;
const PIECE = 64 * 1024;

type Source = AsyncIterable<Uint8Array>;

/**
 * Yields the unpacked content, in pieces. The limit applies to the unpacked size, and at most one piece is unpacked ahead, so
 * that a small answer that unpacks to a huge one costs nothing.
 */
export async function* unpacked(
  body: Source,
  coding: string | undefined,
  limit: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let size = 0;
  for await (const piece of decodedBody(body, codingsOf(coding))) {
    size += piece.length;
    if (size > limit) throw new TooLarge(limit);
    yield piece;
  }
}

function codingsOf(header: string | undefined): readonly string[] {
  const codings = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  const used = codings.filter((coding) => coding !== '' && coding !== 'identity');
  if (used.length > MOST_CODINGS) throw new Unpackable(worded`the answer is packed more than twice`);
  return used;
}

function decodedBody(body: Source, codings: readonly string[]): Source {
  return codings.toReversed().reduce((source, coding) => unpack(source, coding), body);
}

async function* unpack(source: Source, coding: string): AsyncGenerator<Uint8Array, void, undefined> {
  const pieces = source[Symbol.asyncIterator]();
  const first = await pieces.next();
  // An answer without content is not packed, whatever its head claims.
  if (first.done === true) return;
  const unpacker = unpackerOf(coding, first.value);
  const packed = (async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => pieces };
  })();
  let failure: Error | null = null;
  const done = new Promise<void>((resolve) => {
    pipeline(packed, unpacker, (error) => {
      failure = error ?? null;
      resolve();
    });
  });
  try {
    yield* unpacker as AsyncIterable<Uint8Array>;
  } catch (error) {
    await done;
    throw damaged(failure ?? error);
  } finally {
    unpacker.destroy();
    await done;
  }
}

function unpackerOf(coding: string, first: Uint8Array): Transform & Zlib {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ chunkSize: PIECE });
    case 'br':
      return createBrotliDecompress({ chunkSize: PIECE });
    case 'deflate':
      // Half of the servers leave out the head of zlib, which begins with the number of its method.
      return ((first[0] ?? 0) & 0x0f) === 8
        ? createInflate({ chunkSize: PIECE })
        : createInflateRaw({ chunkSize: PIECE });
    default:
      throw new Unpackable(
        /^[a-z0-9-]{1,20}$/.test(coding)
          ? worded`the answer is packed with ${{ coding }}, which was not asked for`
          : worded`the answer is packed with an unknown coding, which was not asked for`,
      );
  }
}

/** Content that ends too early keeps its code; content in another packing gets words. */
function damaged(error: unknown): unknown {
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string' || !/^Z_|^ERR_.*(?:BROTLI|PADDING)|^ERR__ERROR/.test(code) || code === 'Z_BUF_ERROR')
    return error;
  return new Unpackable(worded`its packing is damaged`);
}
