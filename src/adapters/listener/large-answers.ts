import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { forReader } from './stalled-readers.ts';

/** Smaller answers have left the process before anybody could keep them here: the system takes as much for every connection. */
const LARGE_ANSWER_BYTES = 65_536;

/**
 * Sends large complete answers in parts, so that a reader who takes nothing does not keep them in memory. Their length stays
 * announced. Streamed answers do this themselves.
 */
export function handOverLargeAnswers(
  app: FastifyInstance,
  timeoutSeconds: number,
  giveUp: (request: FastifyRequest) => void,
): void {
  app.addHook<unknown>('onSend', (request, reply, payload, done) => {
    const isWhole = typeof payload === 'string' || payload instanceof Uint8Array;
    // An answer to HEAD has no body to send.
    if (!isWhole || payload.length <= LARGE_ANSWER_BYTES || request.method === 'HEAD') return done(null, payload);
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
    reply.header('content-length', bytes.length);
    const parts = forReader(only(bytes), timeoutSeconds, () => giveUp(request));
    done(null, Readable.from(parts, { objectMode: false, highWaterMark: LARGE_ANSWER_BYTES }));
  });
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
