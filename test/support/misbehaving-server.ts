import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

/** One request as the server got it. */
export interface SeenRequest {
  readonly method: string;
  /** With parameters. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly socket: Socket;
}

export type Answer = (response: ServerResponse, request: SeenRequest) => void;

export interface MisbehavingServer {
  readonly origin: string;
  /** In their order, also those that got no answer. */
  readonly requests: SeenRequest[];
  /** What a path (without parameters) answers: one after the other, the last for ever. */
  at(path: string, ...answers: readonly Answer[]): void;
  close(): Promise<void>;
}

/**
 * A server that does to a client whatever servers do: refuse, stall, break off, lie about lengths, answer pages instead of data.
 * Paths that nothing was said about are 404.
 */
export async function misbehavingServer(tls?: ServerOptions): Promise<MisbehavingServer> {
  const paths = new Map<string, Answer[]>();
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  const listener: RequestListener = async (incoming, response) => {
    const { method = '', url = '', headers, socket } = incoming;
    const request: SeenRequest = { method, path: url, headers, socket, body: await text(incoming).catch(() => '') };
    requests.push(request);
    const answers = paths.get(url.split('?')[0] as string) ?? [status(404)];
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    answer?.(response, request);
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    requests,
    at: (path, ...answers) => void paths.set(path, [...answers]),
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      if (server.listening) await once(server, 'close');
    },
  };
}

type Headers = Readonly<Record<string, string | readonly string[]>>;

export function json(value: unknown, headers: Headers = {}, code = 200): Answer {
  return content(JSON.stringify(value), { 'content-type': 'application/json', ...headers }, code);
}

export function content(body: string | Uint8Array, headers: Headers = {}, code = 200): Answer {
  return (response) => response.writeHead(code, headers as Record<string, string>).end(body);
}

export function status(code: number, headers: Headers = {}, body = ''): Answer {
  return content(body, headers, code);
}

export function redirect(location: string, code = 302): Answer {
  return status(code, { location });
}

const PACKERS = { gzip: gzipSync, deflate: deflateSync, 'raw deflate': deflateRawSync, br: brotliCompressSync };

export function packed(body: string, packer: keyof typeof PACKERS): Answer {
  const coding = packer === 'raw deflate' ? 'deflate' : packer;
  return content(PACKERS[packer](body), { 'content-encoding': coding, 'content-type': 'application/json' });
}

/** Says how long it is and ends before that. */
export function cutOff(body: string, sent = Math.floor(body.length / 2)): Answer {
  return (response) => {
    response.writeHead(200, { 'content-length': Buffer.byteLength(body), 'content-type': 'application/json' });
    response.write(body.slice(0, sent), () => response.destroy());
  };
}

/** Comes in pieces and breaks off between two of them. */
export function cutOffInPieces(body: string): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(body.slice(0, Math.floor(body.length / 2)), () => setImmediate(() => response.destroy()));
  };
}

/** Ends early without a sign: no length, and the connection is closed in order. */
export function cutOffSilently(body: string): Answer {
  return (_response, { socket }) => {
    const half = body.slice(0, Math.floor(body.length / 2));
    socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n${half}`);
  };
}

/** The connection breaks without an answer. */
export function reset(): Answer {
  return (_response, { socket }) => socket.destroy();
}

export function never(): Answer {
  return () => undefined;
}

/** The head comes, a piece of the content, and then nothing any more. */
export function stall(body = '[1'): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(body);
  };
}

/** A piece for ever, with so many milliseconds between two. */
export function endless(piece: string, pauseMs = 0, headers: Headers = { 'content-type': 'application/json' }): Answer {
  return (response) => {
    response.writeHead(200, headers as Record<string, string>);
    const write = (): void => {
      if (response.destroyed) return;
      if (response.write(piece)) setTimeout(write, pauseMs);
      else response.once('drain', write);
    };
    write();
  };
}

/** Bytes as they are, which need not be HTTP. */
export function raw(bytes: string): Answer {
  return (_response, { socket }) => socket.end(bytes);
}

/** Answers by what is asked for. */
export function by(decide: (request: SeenRequest) => Answer): Answer {
  return (response, request) => decide(request)(response, request);
}
