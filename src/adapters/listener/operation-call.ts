import { pipeline, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../app/kernel/caller.ts';
import type { Executor } from '../../app/kernel/executor.ts';
import type { AnyOperation, Progress, StreamOperation, ValueOperation } from '../../app/kernel/operation.ts';
import { AppError } from '../../ports/index.ts';
import { JSON_TYPE } from './answers.ts';
import { COMPRESSION_THRESHOLD, chosenCoding, compressor, OF_ANSWERS } from './compression.ts';
import { PROGRESS_TYPE, type ProgressOptions, progressLines } from './progress-lines.ts';
import { forReader, type Pieces } from './stalled-readers.ts';

/** A call of an operation by its name: the body is its input, the answer its output. */
export interface OperationCall extends ProgressOptions {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
  /** Seconds after which a reader who takes nothing loses the answer. */
  readonly timeoutSeconds: number;
}

/** Answers with JSON, a stream as it is made, or lines of progress for a client that accepts them. */
export async function answerCall(
  executor: Executor,
  operation: AnyOperation,
  { request, reply, caller, timeoutSeconds, heartbeatSeconds, membersOf }: OperationCall,
): Promise<FastifyReply> {
  const readable = (pieces: Pieces): Readable =>
    Readable.from(
      forReader(pieces, timeoutSeconds, () => request.raw.socket.destroy()),
      { objectMode: false },
    );
  const body = request.body instanceof Buffer && request.body.length > 0 ? request.body : Buffer.from('{}');
  const input = { kind: 'json', body, members: {} } as const;
  if (operation.answer === 'stream') {
    const stream = await executor.stream(operation as StreamOperation, input, caller);
    reply.header('content-type', stream.mediaType).header('cache-control', 'no-store');
    return reply.send(readable(stream.body));
  }
  const run = operation as ValueOperation;
  // Work that was begun continues without a reader: half an import is useless, and the log records how it ended.
  const options = operation.effect === 'read' ? untilClosed(reply) : {};
  if (request.headers.accept !== PROGRESS_TYPE) {
    const made = await executor.json(run, input, caller, options);
    reply.header('content-type', JSON_TYPE).header('cache-control', 'no-store');
    if (typeof made !== 'string') return sendCompressed(request, reply, readable(made.body));
    if (made.length < COMPRESSION_THRESHOLD) return reply.send(made);
    return sendCompressed(request, reply, readable([Buffer.from(made)]));
  }
  const work = (progress: (progress: Progress) => void) => executor.value(run, input, caller, { ...options, progress });
  const lines = progressLines(work, { heartbeatSeconds, membersOf });
  reply.header('content-type', PROGRESS_TYPE).header('cache-control', 'no-store');
  return reply.send(readable(lines));
}

function sendCompressed(request: FastifyRequest, reply: FastifyReply, source: Readable): FastifyReply {
  const coding = chosenCoding(request.headers['accept-encoding'], OF_ANSWERS);
  reply.header('vary', 'Accept-Encoding');
  if (coding === 'identity') return reply.send(source);
  // Fastify reports errors of the stream that it sends.
  return reply.header('content-encoding', coding).send(pipeline(source, compressor(coding), () => undefined));
}

/** Once the connection is closed, a mere read has no reader left. */
function untilClosed({ raw }: FastifyReply): { readonly signal: AbortSignal } {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort();
  });
  return { signal: controller.signal };
}

/**
 * Forms of pages are never JSON: a further line of defence against foreign pages, for browsers that do not report which page
 * sends.
 */
export function refuseForms({ method, headers }: FastifyRequest): void {
  if (method !== 'POST' || /^application\/json\b/i.test(headers['content-type'] ?? '')) return;
  throw new AppError('forbidden', 'only JSON is accepted here; send content-type: application/json');
}
