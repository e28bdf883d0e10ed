import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestOverHttp,
  type ServerResponse,
} from 'node:http';
import { request as requestOverHttps } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { drained, type FaultyRequest } from './faulty-server.ts';

/** The answer of the system behind the proxy. */
export interface PassedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Says what happens to a request: it may be passed on or not, and any answer may be given. */
export type Handle = (
  response: ServerResponse,
  request: FaultyRequest,
  pass: () => Promise<PassedAnswer>,
) => void | Promise<void>;

/** A proxy in front of a system over HTTP that does anything to its requests and answers that `handle` says. */
export class FaultyProxy {
  /** Absent: everything is passed on. */
  handle: Handle | undefined;
  readonly requests: FaultyRequest[] = [];
  readonly #upstream: URL;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((incoming, response) => void this.#answer(incoming, response));
  #port = 0;

  private constructor(upstream: string) {
    this.#upstream = new URL(upstream);
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      socket.on('error', () => undefined);
    });
  }

  static async before(upstream: string): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(upstream);
    await proxy.listen();
    return proxy;
  }

  /** The address of the system for clients that go through the proxy. */
  get address(): string {
    const path = this.#upstream.pathname === '/' ? '' : this.#upstream.pathname;
    return `http://127.0.0.1:${this.#port}${path}`;
  }

  /** Listens, on the port that it had before. */
  async listen(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming;
    response.on('error', () => undefined);
    try {
      const request = { method, path: url, headers, body: await text(incoming) };
      this.requests.push(request);
      const pass = (): Promise<PassedAnswer> => this.#passed(request);
      if (this.handle === undefined) relay(response, await pass());
      else await this.handle(response, request, pass);
    } catch {
      response.destroy();
    }
  }

  async #passed({ method, path, headers, body }: FaultyRequest): Promise<PassedAnswer> {
    const { protocol, hostname, port } = this.#upstream;
    const send = protocol === 'https:' ? requestOverHttps : requestOverHttp;
    // The name of the host stays, so that links in answers lead back to here.
    const { connection: _, 'accept-encoding': __, ...kept } = headers;
    const sent = send({ protocol, hostname, port, method, path, headers: kept, agent: false });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) };
  }
}

export function relay(response: ServerResponse, { status, headers, body }: PassedAnswer): void {
  const { 'transfer-encoding': _, 'content-length': __, connection: ___, ...kept } = headers;
  response.writeHead(status, kept);
  response.end(body);
}

/** The beginning of an answer, and then a text without end. */
export async function relayWithoutEnd(response: ServerResponse, { status, body }: PassedAnswer): Promise<void> {
  response.writeHead(status, { 'content-type': 'application/json' });
  const lastText = body.lastIndexOf('"');
  response.write(lastText === -1 ? '"' : body.slice(0, lastText + 1).replace(/"[^"]*"$/, '"'));
  const piece = 'x'.repeat(64 * 1024);
  while (!response.destroyed) {
    if (!response.write(piece)) await drained(response);
    await new Promise(setImmediate);
  }
}
