import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { errorCodes } from 'fastify';
import type { HttpError } from '../errors.ts';
import type { BodyPlace } from './budget.ts';

/** How fast a body has to come. */
export interface BodyPace {
  /** Time, in ms, during which any rate is accepted. */
  readonly graceMs: number;
  /** Then it must have come at this rate all the time; 0 wants all of it by then. */
  readonly bytesPerSecond: number;
}

export interface ReadBodyOptions {
  readonly limit: number;
  readonly place: BodyPlace;
  readonly pace: BodyPace;
  /** Unpacks the body, if it is compressed. The limit applies to the unpacked bytes. */
  readonly decoder?: Transform | undefined;
}

const CHECK_MS = 1_000;

/**
 * Reads the bytes of a body. Rejects with the errors of the framework for one that is too large or not of the announced length.
 */
export function readBody(message: IncomingMessage, { limit, place, pace, decoder }: ReadBodyOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const said = Number(message.headers['content-length']);
    if (said > limit) return reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    const chunks: Buffer[] = [];
    let arrived = 0;
    let length = 0;
    const begun = performance.now();
    const timer = setInterval(checkPace, CHECK_MS);
    const content = decoder ?? message;
    message.on('data', arrive).on('error', fail).on('close', close);
    content.on('data', take).on('end', end);
    if (decoder === undefined) message.resume();
    else message.pipe(decoder.on('error', garble));

    function arrive(chunk: Buffer): void {
      arrived += chunk.length;
    }

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
      if (!Number.isNaN(said) && said !== arrived) reject(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
      // A copy: a chunk is a view of the socket's read buffer.
      resolve(Buffer.concat(chunks, length));
    }

    function checkPace(): void {
      const elapsed = performance.now() - begun;
      if (elapsed <= pace.graceMs) return;
      const isFastEnough = pace.bytesPerSecond > 0 && arrived >= (pace.bytesPerSecond * elapsed) / 1000;
      if (!isFastEnough) fail(TOO_SLOW);
    }

    function garble(): void {
      fail(GARBLED);
    }

    function close(): void {
      // All of it has arrived, and the rest is being unpacked.
      if (decoder !== undefined && message.complete) return;
      fail(Object.assign(new Error('the client went away'), { code: 'ECONNRESET' }));
    }

    function fail(error: unknown): void {
      letGo();
      reject(error);
    }

    function letGo(): void {
      clearInterval(timer);
      message.off('data', arrive).off('error', fail).off('close', close);
      content.off('data', take).off('end', end);
      if (decoder === undefined) return;
      message.unpipe(decoder);
      // Data still buffered in the decoder may be invalid, too.
      decoder.off('error', garble).on('error', () => undefined);
      decoder.destroy();
      message.resume();
    }
  });
}

const TOO_SLOW: HttpError = {
  status: 408,
  headers: {},
  body: { message: 'the body took too long to arrive; send it again over a better line', code: 'invalid_input' },
};

const GARBLED: HttpError = {
  status: 400,
  headers: {},
  body: {
    message: 'the body is not compressed as its Content-Encoding says, or is cut off; send it again, or as it is',
    code: 'invalid_input',
  },
};
