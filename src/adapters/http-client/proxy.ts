import { request } from 'node:http';
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { ProxyRefused, ProxyUnreachable } from './proxy-faults.ts';
import { decoded } from './settings.ts';

export function proxyAuthorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const pair = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
  return { 'proxy-authorization': `Basic ${pair}` };
}

/**
 * Connects through a proxy: encrypted connections by CONNECT, so that the proxy sees neither path nor credentials. Requests without
 * encryption are sent to the proxy whole, which then is what is connected to.
 */
export function tunnelThrough(
  proxy: URL,
  { direct, seconds }: { readonly direct: buildConnector.connector; readonly seconds: number },
): buildConnector.connector {
  const place = { protocol: proxy.protocol, hostname: proxy.hostname, host: proxy.host, port: proxy.port };
  return (target, callback) => {
    direct(place, (failure, socket) => {
      if (failure !== null)
        return callback(new ProxyUnreachable('no connection to the proxy', { cause: failure }), null);
      if (target.protocol !== 'https:') return callback(null, socket);
      openTunnel(socket, target, proxyAuthorization(proxy), seconds).then(
        (tunnel) => direct({ ...target, httpSocket: tunnel }, callback),
        (error: Error) => {
          socket.destroy();
          callback(error, null);
        },
      );
    });
  };
}

function openTunnel(
  socket: Socket,
  { hostname, port }: buildConnector.Options,
  headers: Readonly<Record<string, string>>,
  seconds: number,
): Promise<Socket> {
  const authority = `${hostname}:${port === '' ? 443 : port}`;
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
    const timer = setTimeout(() => asked.destroy(new ProxyUnreachable('it does not answer')), seconds * 1000);
    asked.once('close', () => clearTimeout(timer));
    asked.once('error', (cause) =>
      reject(cause instanceof ProxyUnreachable ? cause : new ProxyUnreachable('it closed the connection', { cause })),
    );
    asked.end();
  });
}
