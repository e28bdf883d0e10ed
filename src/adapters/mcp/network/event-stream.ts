import type { ServerResponse } from 'node:http';
import { forReader } from '../../listener/stalled-readers.ts';

export interface EventStreamOptions {
  /** Seconds after which a reader who takes none of the waiting data is given up. */
  readonly timeoutSeconds: number;
  /** Must end the connection. */
  onStalled(): void;
}

interface Piece {
  readonly text: string;
  readonly taken?: () => void;
}

const HEAD = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/**
 * An answer of events, which are sent one after the other as the reader takes them. Silence is not held against the reader: a
 * call may take its time.
 */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #waiting: Piece[] = [];
  #unread = 0;
  #isEnding = false;
  #isClosed: boolean;
  /** Ends the wait for something to send. */
  #more: () => void = () => undefined;
  /** Ends the wait for the line. */
  #written: () => void = () => undefined;

  constructor(response: ServerResponse, { timeoutSeconds, onStalled }: EventStreamOptions) {
    this.#response = response;
    this.#isClosed = response.destroyed;
    response.once('close', () => {
      this.#isClosed = true;
      this.#waiting.length = 0;
      this.#unread = 0;
      this.#more();
      this.#written();
    });
    // A line that breaks is closed as well, and that is looked at.
    response.on('error', () => undefined);
    response.writeHead(200, HEAD);
    response.flushHeaders();
    void this.#writeAll(forReader(this.#pieces(), timeoutSeconds, onStalled));
  }

  /** Characters that the reader has not taken yet. */
  get unread(): number {
    return this.#unread;
  }

  /** `taken` is called when the last of it has left the process, and never if the reader leaves before. */
  send(event: string, data: string, taken?: () => void): void {
    this.#add({ text: `event: ${event}\ndata: ${data}\n\n`, ...(taken === undefined ? {} : { taken }) });
  }

  /** A sign of life, which keeps proxies from closing a quiet stream. */
  keepAlive(): void {
    if (this.#unread === 0) this.#add({ text: ': keep-alive\n\n' });
  }

  /** Ends the answer after the events already sent. */
  end(): void {
    this.#isEnding = true;
    this.#more();
  }

  #add(piece: Piece): void {
    if (this.#isClosed || this.#isEnding) return;
    this.#waiting.push(piece);
    this.#unread += piece.text.length;
    this.#more();
  }

  async #writeAll(parts: AsyncIterable<string | Uint8Array>): Promise<void> {
    for await (const part of parts) {
      if (this.#isClosed) break;
      await new Promise<void>((resolve) => {
        this.#written = resolve;
        this.#response.write(part, () => resolve());
      });
    }
    if (!this.#isClosed) this.#response.end();
  }

  async *#pieces(): AsyncGenerator<string> {
    while (!this.#isClosed) {
      const piece = this.#waiting.shift();
      if (piece === undefined) {
        if (this.#isEnding) return;
        await new Promise<void>((resolve) => {
          this.#more = resolve;
        });
        continue;
      }
      yield piece.text;
      if (this.#isClosed) return;
      this.#unread -= piece.text.length;
      piece.taken?.();
    }
  }
}
