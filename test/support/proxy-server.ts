import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface ProxyServer {
  /** With user name and password, where it wants some. */
  readonly url: string;
  /** `CONNECT host:port` and `GET http://…`, with the headers that the proxy saw. */
  readonly seen: { readonly line: string; readonly headers: IncomingMessage['headers']; readonly socket: Socket }[];
  close(): Promise<void>;
}

interface ProxyOptions {
  readonly login?: string;
  /** The status of every answer. */
  readonly refuses?: number;
  readonly tls?: ServerOptions;
}

/** A proxy as companies have them: forwards plain requests, opens tunnels for others, and wants a login if told so. */
export async function proxyServer({ login, refuses, tls }: ProxyOptions = {}): Promise<ProxyServer> {
  const seen: ProxyServer['seen'] = [];
  const sockets = new Set<Socket>();
  const expected = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
  const refusal = ({ headers }: IncomingMessage): number | undefined =>
    expected !== undefined && headers['proxy-authorization'] !== expected ? 407 : refuses;
  const listener: RequestListener = (incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    seen.push({ line: `${method} ${url}`, headers, socket: incoming.socket });
    const code = refusal(incoming);
    if (code !== undefined) return void response.writeHead(code).end('of the proxy');
    const { 'proxy-authorization': _, ...passed } = headers;
    const forwarded = request(url, { method, headers: passed }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.writeHead(502).end());
    incoming.pipe(forwarded);
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    seen.push({ line: `CONNECT ${incoming.url}`, headers: incoming.headers, socket });
    const code = refusal(incoming);
    socket.on('error', () => undefined);
    if (code !== undefined) return void socket.end(`HTTP/1.1 ${code} No\r\ncontent-length: 0\r\n\r\n`);
    const [host = '', port = ''] = (incoming.url ?? '').split(':');
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
    sockets.add(target);
  });
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${login === undefined ? '' : `${login.replace(/[^:]+/g, encodeURIComponent)}@`}127.0.0.1:${port}`,
    seen,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      if (server.listening) await once(server, 'close');
    },
  };
}
