import { connect, type Socket } from 'node:net';

/** A request as it goes over the line, with a body that comes when the test wants it to. */
export class RawRequest {
  readonly #socket: Socket;
  readonly #ended: Promise<void>;
  #text = '';

  constructor(port: number, head: readonly string[]) {
    this.#socket = connect(port, '127.0.0.1');
    this.#ended = new Promise((resolve) => {
      this.#socket.once('close', () => resolve());
      this.#socket.once('error', () => resolve());
    });
    this.#socket.on('data', (chunk) => {
      this.#text += chunk.toString('latin1');
    });
    this.#socket.write(`${[...head, 'Host: localhost'].join('\r\n')}\r\n\r\n`);
  }

  send(bytes: Buffer | string): void {
    this.#socket.write(bytes);
  }

  /** The status of the answer, as soon as it is there. `undefined` when there is none in time. */
  async status(withinMs = 5_000): Promise<number | undefined> {
    const until = performance.now() + withinMs;
    while (performance.now() < until) {
      const status = /^HTTP\/1\.1 (\d{3})/.exec(this.#text)?.[1];
      if (status !== undefined) return Number(status);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return undefined;
  }

  async close(): Promise<void> {
    this.#socket.destroy();
    await this.#ended;
  }
}
