import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Status and body of an answer; without a body where it is `undefined`. */
export type JsonAnswer = readonly [status: number, body: unknown];

/** A server on the loopback interface, on a free port, that is asked in JSON and answers so. */
export abstract class JsonServer {
  readonly #server: Server = createServer((request, response) => {
    void this.#received(request).then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body === undefined ? '' : JSON.stringify(body));
    });
  });

  /** `body` is `undefined` where the request had none. */
  protected abstract answer(request: IncomingMessage, body: unknown): JsonAnswer | Promise<JsonAnswer>;

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #received(request: IncomingMessage): Promise<JsonAnswer> {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    return this.answer(request, text === '' ? undefined : JSON.parse(text));
  }
}

/** The header that logs a user in by password. */
export function basicLogin(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
