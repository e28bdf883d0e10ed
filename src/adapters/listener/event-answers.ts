import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { StreamAnswer } from '../../app/kernel/operation.ts';
import { AppError } from '../../ports/index.ts';
import { forReader } from './stalled-readers.ts';

/** Answers that never end by themselves. */
export const EVENT_TYPE = 'text/event-stream';

/** Each asks the store every second, so they are counted; a user's programs share fewer. */
const MOST_LISTENERS = 64;
const MOST_OF_A_USER = 8;
const TRY_AGAIN_SECONDS = 30;
const LOOK_AT_RIGHTS_MS = 2_000;

export interface EventDelivery {
  readonly reply: FastifyReply;
  readonly user: string;
  readonly isHead: boolean;
  /** Ends the stream. */
  readonly controller: AbortController;
  readonly timeoutSeconds: number;
  /** Throws, or answers false, once the user may no longer listen, or may see something else than at first. */
  stillMay(): Promise<boolean>;
  /** Called when the reader has taken nothing for that time; must end the connection. */
  onStalled(): void;
  onBroken(error: Error): void;
}

/** Open event streams. */
export class EventAnswers {
  readonly #open = new Map<AbortController, string>();
  #isEnding = false;

  /** Answers with events. Never compressed: a compressor would hold them back. */
  async send(delivery: EventDelivery, make: () => Promise<StreamAnswer>): Promise<FastifyReply> {
    const { reply, controller, user } = delivery;
    // The client left while it was being authenticated: nothing would ever end this stream.
    if (reply.raw.destroyed) {
      controller.abort();
      return reply;
    }
    this.#admit(user);
    this.#open.set(controller, user);
    reply.raw.once('close', () => this.#open.delete(controller));
    try {
      const answer = await make();
      reply.header('content-type', answer.mediaType).header('x-accel-buffering', 'no');
      reply.header('cache-control', 'no-cache, no-transform');
      if (delivery.isHead) {
        controller.abort();
        return reply.send();
      }
      const pieces = forReader(whileAllowed(answer.body, delivery), delivery.timeoutSeconds, delivery.onStalled);
      const source = Readable.from(pieces, { objectMode: false });
      source.once('error', delivery.onBroken);
      return reply.send(source);
    } catch (error) {
      this.#open.delete(controller);
      throw error;
    }
  }

  /** Ends all streams because the service stops: clients connect again and continue from their position. */
  endAll(): void {
    this.#isEnding = true;
    for (const controller of this.#open.keys()) controller.abort();
  }

  #admit(user: string): void {
    if (this.#isEnding) throw new AppError('unavailable', 'the service stops; try again', { retryAfterSeconds: 5 });
    const own = [...this.#open.values()].filter((name) => name === user).length;
    if (own >= MOST_OF_A_USER) {
      const message = `user ${user} has ${own} streams open already, which is the most; end one of them`;
      throw new AppError('rate_limited', message, { retryAfterSeconds: TRY_AGAIN_SECONDS });
    }
    if (this.#open.size < MOST_LISTENERS) return;
    const message = `${MOST_LISTENERS} streams are open already, which is the most; ask for pages of changes instead, or try again`;
    throw new AppError('unavailable', message, { retryAfterSeconds: TRY_AGAIN_SECONDS });
  }
}

/** The pieces, until the user may no longer have them: looked at all the time, and before each piece that comes later. */
async function* whileAllowed(
  pieces: StreamAnswer['body'],
  { controller, stillMay }: EventDelivery,
): AsyncGenerator<string | Uint8Array> {
  let lookedAt = performance.now();
  async function look(): Promise<boolean> {
    lookedAt = performance.now();
    const may = await stillMay().catch(() => false);
    if (!may) controller.abort();
    return may;
  }
  const timer = setInterval(() => void look(), LOOK_AT_RIGHTS_MS);
  try {
    for await (const piece of pieces) {
      if (controller.signal.aborted) return;
      if (performance.now() - lookedAt >= LOOK_AT_RIGHTS_MS && !(await look())) return;
      yield piece;
    }
  } finally {
    clearInterval(timer);
  }
}
