import type { IncomingMessage } from 'node:http';
import { errorCodes } from 'fastify';
import type { HttpError } from '../errors.ts';
import type { BodyPlace } from './budget.ts';

/** How fast a body has to come. */
export interface BodyPace {
  /** So long it may come as it likes. */
  readonly graceMs: number;
  /** Then it must have come at this rate all the time; 0 wants all of it by then. */
  readonly bytesPerSecond: number;
}

export interface ReadBodyOptions {
  readonly limit: number;
  readonly place: BodyPlace;
  readonly pace: BodyPace;
}

const CHECK_MS = 1_000;

/** The bytes of a body. Rejects with the errors of the framework for one that is too large or not as long as it said. */
export function readBody(message: IncomingMessage, { limit, place, pace }: ReadBodyOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const said = Number(message.headers['content-length']);
    if (said > limit) return reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    const chunks: Buffer[] = [];
    let length = 0;
    const begun = performance.now();
    const timer = setInterval(checkPace, CHECK_MS);
    message.on('data', take).on('end', end).on('error', fail).on('close', close);
    message.resume();

    function take(chunk: Buffer): void {
      length += chunk.length;
      try {
        if (length > limit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
        place.take(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        fail(error);
      }
    }

    function end(): void {
      letGo();
      if (!Number.isNaN(said) && said !== length) reject(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
      // A copy: a chunk is a view of what the socket reads into.
      resolve(Buffer.concat(chunks, length));
    }

    function checkPace(): void {
      const elapsed = performance.now() - begun;
      if (elapsed <= pace.graceMs) return;
      const isFastEnough = pace.bytesPerSecond > 0 && length >= (pace.bytesPerSecond * elapsed) / 1000;
      if (!isFastEnough) fail(TOO_SLOW);
    }

    function close(): void {
      fail(Object.assign(new Error('the client went away'), { code: 'ECONNRESET' }));
    }

    function fail(error: unknown): void {
      letGo();
      reject(error);
    }

    function letGo(): void {
      clearInterval(timer);
      message.off('data', take).off('end', end).off('error', fail).off('close', close);
    }
  });
}

const TOO_SLOW: HttpError = {
  status: 408,
  headers: {},
  body: { message: 'the body took too long to arrive; send it again over a better line', code: 'invalid_input' },
};
