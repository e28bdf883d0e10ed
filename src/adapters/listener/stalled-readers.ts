import type { FastifyRequest } from 'fastify';
import type { Logger } from '../../ports/index.ts';
import { contextOf, pathOf } from './request-context.ts';

/** Lowest rate at which a reader must take data in the long run. A slow line is several times as fast. */
const LEAST_BYTES_PER_SECOND = 8 * 1024;
/** Larger pieces are handed over in parts: a slow reader of a large piece shows by them that he reads. */
const PART_BYTES = 65_536;

export type Pieces = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/**
 * Yields the pieces of an answer to a reader who has to keep up: if nothing is taken for the given time, or in the long run less
 * than `LEAST_BYTES_PER_SECOND`, calls `giveUp`, which ends the connection and so the answer. Its producer holds memory and a
 * place that others wait for. Time spent on producing pieces does not count: that is the concern of the producer.
 */
export async function* forReader(
  pieces: Pieces,
  timeoutSeconds: number,
  giveUp: () => void,
): AsyncGenerator<string | Uint8Array> {
  const timeoutMs = timeoutSeconds * 1_000;
  // Each part returns the time it was granted. So one pause is forgiven, but not one after another.
  let leftMs = timeoutMs;
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const piece of pieces) {
      for (const part of partsOf(piece)) {
        const begun = performance.now();
        timer = setTimeout(giveUp, leftMs);
        yield part;
        clearTimeout(timer);
        const earnedMs = (part.length / LEAST_BYTES_PER_SECOND) * 1_000;
        leftMs = Math.min(timeoutMs, Math.max(0, leftMs - (performance.now() - begun)) + earnedMs);
      }
    }
  } finally {
    clearTimeout(timer);
  }
}

function* partsOf(piece: string | Uint8Array): Generator<string | Uint8Array> {
  if (piece.length <= PART_BYTES) return yield piece;
  const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
  for (let start = 0; start < bytes.length; start += PART_BYTES) yield bytes.subarray(start, start + PART_BYTES);
}

/** Ends the connection of a reader who does not read. */
export function cutOff(request: FastifyRequest, logger: Logger): void {
  logger.warn('a client did not read its answer and was disconnected', {
    requestId: request.id,
    path: pathOf(request),
    address: contextOf(request).client.address,
  });
  // Not the answer: a pipelined one that waits for another has no connection yet.
  request.raw.socket.destroy();
}
