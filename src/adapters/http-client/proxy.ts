import { request } from 'node:http';
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { worded } from '../../kit/worded.ts';
import { ProxyRefused, ProxyUnreachable } from './proxy-faults.ts';
import { decoded } from './settings.ts';

/** The ways through a proxy. */
export interface ThroughProxy {
  readonly origin: string;
  /** Headers of plain requests, which are sent to the proxy whole. */
  readonly headers: Readonly<Record<string, string>>;
  /** Connects to the proxy itself. */
  readonly connect: buildConnector.connector;
  /** Connects by CONNECT and encrypts with `direct`, so that the proxy sees neither path nor credentials. */
  tunnel(direct: buildConnector.connector): buildConnector.connector;
}

export function throughProxy(proxy: URL, reach: buildConnector.connector, seconds: number): ThroughProxy {
  const hostname = proxy.hostname.replace(/^\[(.*)\]$/, '$1');
  const place = { protocol: proxy.protocol, hostname, host: proxy.host, port: proxy.port };
  const headers = proxyAuthorization(proxy);
  const connect: buildConnector.connector = (_options, callback) => {
    reach(place, (...[cause, socket]) => {
      if (cause === null) callback(null, socket);
      else callback(new ProxyUnreachable(worded`no connection`, { cause }), null);
    });
  };
  return {
    origin: proxy.origin,
    headers,
    connect,
    tunnel: (direct) => (target, callback) =>
      connect(target, (...[failure, socket]) => {
        if (failure !== null) return callback(failure, null);
        openTunnel(socket, target, headers, seconds).then(
          (httpSocket) => direct({ ...target, httpSocket }, callback),
          (error: Error) => {
            socket.destroy();
            callback(error, null);
          },
        );
      }),
  };
}

function proxyAuthorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const pair = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
  return { 'proxy-authorization': `Basic ${pair}` };
}

function openTunnel(
  socket: Socket,
  { hostname, port }: buildConnector.Options,
  headers: Readonly<Record<string, string>>,
  seconds: number,
): Promise<Socket> {
  const host = hostname.includes(':') ? `[${hostname}]` : hostname;
  const authority = `${host}:${port === '' ? 443 : port}`;
  return new Promise((resolve, reject) => {
    const asked = request({
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...headers },
      createConnection: () => socket,
    });
    asked.once('connect', ({ statusCode = 0 }, tunnel: Socket) => {
      clearTimeout(timer);
      if (statusCode === 200) resolve(tunnel);
      else reject(new ProxyRefused(statusCode));
    });
    asked.once('response', ({ statusCode = 0 }) => reject(new ProxyRefused(statusCode)));
    const timer = setTimeout(() => asked.destroy(new ProxyUnreachable(worded`it does not answer`)), seconds * 1000);
    asked.once('close', () => clearTimeout(timer));
    asked.once('error', (cause) =>
      reject(
        cause instanceof ProxyUnreachable ? cause : new ProxyUnreachable(worded`it closed the connection`, { cause }),
      ),
    );
    asked.end();
  });
}
