import { pipeline, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RestEntry } from '../../app/kernel/entrances.ts';
import { PACKED_TYPE, type StreamAnswer } from '../../app/kernel/operation.ts';
import { COMPRESSION_THRESHOLD, chosenCoding, compressor, OF_ANSWERS } from './compression.ts';
import { type ContentCoding, codedTag } from './entity-tags.ts';
import { forReader } from './stalled-readers.ts';

/** Answers up to this length are gathered and sent at once, with their length. */
const WHOLE_ANSWER_LENGTH = 65_536;

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A route's declarations about its answers. */
export interface AnswerStyle extends Pick<RestEntry, 'status' | 'answer' | 'cacheControl'> {
  readonly statuses: readonly number[];
}

/** Sends an answer that is small enough to be made at once. */
export function sendValue(reply: FastifyReply, route: AnswerStyle, answer: unknown): FastifyReply {
  const shown = route.answer === undefined ? answer : route.answer(answer);
  return sendJson(reply, route, JSON.stringify(shown), route.status?.(answer));
}

/** The same as text. */
export function sendJson(reply: FastifyReply, route: AnswerStyle, text: string, status?: number): FastifyReply {
  return reply
    .code(status ?? route.statuses[0] ?? 200)
    .header('content-type', JSON_TYPE)
    .header('cache-control', route.cacheControl ?? 'no-store')
    .send(text);
}

type Chunk = string | Uint8Array;

export interface StreamDelivery {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly route: AnswerStyle;
  readonly answer: StreamAnswer;
  readonly knownTags: readonly string[];
  /** Seconds after which a reader who takes nothing loses the answer. */
  readonly timeoutSeconds: number;
  /** Notifies the operation, if it listens, that the rest is no longer wanted. */
  abandon?(): void;
  /** Called when the reader has taken nothing for that time; must end the connection. */
  onStalled(): void;
  /** Called when the answer fails after its head was sent; the connection is cut then. */
  onBroken(error: Error): void;
}

/**
 * Sends an answer while it is made. The first pieces are awaited before the head goes out, so that a failure at the
 * beginning is still a proper error, and a short answer goes out whole.
 */
export async function sendStream(delivery: StreamDelivery): Promise<FastifyReply> {
  const { request, reply, route, answer } = delivery;
  const coding =
    answer.mediaType === PACKED_TYPE ? 'identity' : chosenCoding(request.headers['accept-encoding'], OF_ANSWERS);
  reply
    .header('cache-control', route.cacheControl ?? 'no-store')
    .header('vary', 'Accept-Encoding, Authorization, x-login-user, x-login-token');
  if (answer.etag !== undefined) reply.header('etag', codedTag(answer.etag, coding));

  const iterator = answer.body[Symbol.asyncIterator]();
  if (answer.unchanged || isKnown(answer, delivery.knownTags)) {
    await discard(delivery, iterator);
    return reply.code(304).send();
  }
  reply.code(route.statuses[0] ?? 200).header('content-type', contentType(answer.mediaType));
  if (request.method === 'HEAD') {
    await discard(delivery, iterator);
    if (coding !== 'identity') reply.header('content-encoding', coding);
    return reply.send();
  }
  const head: Chunk[] = [];
  let length = 0;
  let ended = false;
  while (length < WHOLE_ANSWER_LENGTH) {
    const next = await iterator.next();
    if (next.done) {
      ended = true;
      break;
    }
    head.push(next.value);
    length += next.value.length;
  }
  if (!ended) {
    const chunks = forReader(joined(head, iterator), delivery.timeoutSeconds, delivery.onStalled);
    return sendReadable(
      delivery,
      Readable.from(chunks, { objectMode: false, highWaterMark: WHOLE_ANSWER_LENGTH }),
      coding,
    );
  }
  const whole = Buffer.concat(head.map(bufferOf));
  if (coding !== 'identity' && whole.length >= COMPRESSION_THRESHOLD) {
    return sendReadable(delivery, Readable.from([whole], { objectMode: false }), coding);
  }
  // The head of this short answer is that of the uncompressed one.
  if (answer.etag !== undefined) reply.header('etag', answer.etag);
  return reply.send(whole);
}

function sendReadable(delivery: StreamDelivery, source: Readable, coding: ContentCoding): FastifyReply {
  const { reply } = delivery;
  if (coding === 'identity') {
    source.once('error', delivery.onBroken);
    return reply.send(source);
  }
  const compressed = pipeline(source, compressor(coding), (error) => {
    if (error) delivery.onBroken(error);
  });
  return reply.header('content-encoding', coding).send(compressed);
}

async function* joined(head: readonly Chunk[], rest: AsyncIterator<Chunk>): AsyncGenerator<Chunk> {
  try {
    yield* head;
    for (;;) {
      const next = await rest.next();
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await rest.return?.();
  }
}

/** A generator that was never started does not clean up when it is closed, so the producer of the answer is notified, too. */
async function discard(delivery: StreamDelivery, iterator: AsyncIterator<Chunk>): Promise<void> {
  if (delivery.abandon === undefined) await iterator.next();
  else delivery.abandon();
  await iterator.return?.();
}

function bufferOf(chunk: Chunk): Buffer {
  return typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

function isKnown(answer: StreamAnswer, knownTags: readonly string[]): boolean {
  return knownTags.includes('*') || (answer.etag !== undefined && knownTags.includes(answer.etag));
}

function contentType(mediaType: string): string {
  return mediaType === 'application/json' ? JSON_TYPE : mediaType;
}
