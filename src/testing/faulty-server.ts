import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as the system gets it. */
export interface FaultyRequest {
  readonly method: string;
  /** With parameters. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A whole answer of the system. */
export interface SystemAnswer {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** In pieces if it is large. */
  readonly body: string | AsyncIterable<string>;
}

type Respond = (response: ServerResponse, request: FaultyRequest, number: number) => void | Promise<void>;

/** A server on this machine. */
export interface AnsweringServer {
  readonly address: string;
  /** The requests so far. */
  readonly requests: readonly FaultyRequest[];
  close(): Promise<void>;
}

/** Starts a simulator that answers requests with the given function, on a free port of this machine. */
export function answeringServer(
  answer: (request: FaultyRequest) => SystemAnswer | Promise<SystemAnswer>,
): Promise<AnsweringServer> {
  return faultyServer(async (response, request) => send(response, await answer(request)));
}

/**
 * Starts a server on this machine that answers with the given function, which may give wrong answers. `number` of a request is
 * from 1.
 */
export async function faultyServer(respond: Respond): Promise<AnsweringServer> {
  const requests: FaultyRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(async (incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    const request = { method, path: url, headers, body: await text(incoming).catch(() => '') };
    requests.push(request);
    response.on('error', () => undefined);
    try {
      await respond(response, request, requests.length);
    } catch {
      response.destroy();
    }
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    requests,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      if (server.listening) await once(server, 'close');
    },
  };
}

export async function send(
  response: ServerResponse,
  { status = 200, headers = {}, body }: SystemAnswer,
): Promise<void> {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  if (typeof body === 'string') {
    response.end(body);
    return;
  }
  for await (const piece of body) {
    if (response.destroyed) return;
    if (!response.write(piece)) await drained(response);
  }
  response.end();
}

/** Waits until there is room for more, or the connection is closed. */
export function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.once('drain', go).once('close', go);
  });
}

export async function wholeText({ body }: SystemAnswer): Promise<string> {
  if (typeof body === 'string') return body;
  let whole = '';
  for await (const piece of body) whole += piece;
  return whole;
}
