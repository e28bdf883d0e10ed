import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { JsonRefusal, parseJson } from '../../kit/json/parse-json.ts';

export interface LineTransportOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** A longer message ends the connection. */
  readonly maxMessageBytes: number;
}

const NEW_LINE = 0x0a;

/**
 * One message a line, like the SDK's own transport for pipes. That one uses `JSON.parse` and decodes invalid bytes to arbitrary
 * characters, and so would change numbers and texts silently.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: LineTransportOptions;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #receive = (chunk: Uint8Array): void => this.#take(chunk);
  readonly #fail = (error: Error): void => this.onerror?.(error);
  /** The beginning of a line whose end has not come yet. */
  #begun: Uint8Array[] = [];
  #begunBytes = 0;

  constructor(options: LineTransportOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#options.input.on('data', this.#receive);
    this.#options.input.on('error', this.#fail);
  }

  send(message: JSONRPCMessage): Promise<void> {
    const { output } = this.#options;
    return new Promise((resolve) => {
      if (output.write(`${JSON.stringify(message)}\n`)) resolve();
      else output.once('drain', resolve);
    });
  }

  async close(): Promise<void> {
    const { input } = this.#options;
    input.off('data', this.#receive);
    input.off('error', this.#fail);
    if (input.listenerCount('data') === 0) input.pause();
    this.#begun = [];
    this.onclose?.();
  }

  #take(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(NEW_LINE); end >= 0; end = chunk.indexOf(NEW_LINE, start)) {
      if (!this.#begin(chunk.subarray(start, end))) return;
      const line = Buffer.concat(this.#begun);
      this.#begun = [];
      this.#begunBytes = 0;
      start = end + 1;
      this.#read(line);
    }
    this.#begin(chunk.subarray(start));
  }

  /** False when the line is too long, which ends the connection. */
  #begin(bytes: Uint8Array): boolean {
    this.#begunBytes += bytes.length;
    if (this.#begunBytes > this.#options.maxMessageBytes) {
      this.onerror?.(new Error(`a message is longer than ${this.#options.maxMessageBytes} bytes`));
      void this.close();
      return false;
    }
    if (bytes.length > 0) this.#begun.push(bytes);
    return true;
  }

  #read(line: Uint8Array): void {
    try {
      const text = this.#decoder.decode(line);
      if (text.trim() === '') return;
      this.onmessage?.(JSONRPCMessageSchema.parse(this.#parse(text)));
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }

  #parse(text: string): unknown {
    try {
      return parseJson(text);
    } catch (error) {
      if (error instanceof JsonRefusal && !error.isMalformed) this.#refuse(text, error);
      throw error;
    }
  }

  /** JSON that is refused all the same may be a request, whose sender waits. */
  #refuse(text: string, { reason }: JsonRefusal): void {
    const { id } = (JSON.parse(text) ?? {}) as { id?: unknown };
    if (typeof id !== 'string' && typeof id !== 'number') return;
    void this.send({ jsonrpc: '2.0', id, error: { code: ErrorCode.ParseError, message: `the message ${reason}` } });
  }
}
