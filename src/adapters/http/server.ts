import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../ports/index.ts';
import { buildHttpApp, type HttpAppDeps } from './app.ts';
import { httpMetrics } from './metrics.ts';

export interface HttpServerOptions {
  /** Shown in the documentation. */
  readonly version: string;
  /** What relative paths of certificate and key start from; the working directory when absent. */
  readonly directory?: string;
  /** How long requests that are under way may take when the service stops. */
  readonly stopSeconds?: number;
}

export interface HttpServer {
  /** Listens, and answers the address by which clients on this machine reach it. */
  start(): Promise<string>;
  /** Takes no new requests, waits for those under way, then closes. Idempotent. */
  stop(): Promise<void>;
}

const STOP_SECONDS = 10;
const SWEEP_MS = 50;

/** The HTTP service on the address of the configuration. */
export function httpServer(options: HttpServerOptions): (deps: HttpAppDeps) => HttpServer {
  return (deps) => {
    const { config } = deps.services;
    let app: FastifyInstance | undefined;
    return {
      async start() {
        const tls = await readTls(config.TLS_CERT, config.TLS_KEY, options.directory ?? '.');
        const metrics = deps.metrics ?? httpMetrics();
        metrics.start();
        app = buildHttpApp({ version: options.version, ...(tls === undefined ? {} : { tls }) }, { ...deps, metrics });
        try {
          await app.listen({ host: config.HTTP_HOST, port: config.HTTP_PORT });
        } catch (cause) {
          throw listenError(cause, config.HTTP_HOST, config.HTTP_PORT);
        }
        return addressOf(app.server.address() as AddressInfo, tls !== undefined);
      },
      async stop() {
        const closing = app;
        app = undefined;
        if (closing === undefined) return;
        const { server } = closing;
        const deadline = setTimeout(() => server.closeAllConnections(), (options.stopSeconds ?? STOP_SECONDS) * 1000);
        // A connection that had a request under way becomes idle only after the server began to close.
        const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
        try {
          await closing.close();
        } finally {
          clearTimeout(deadline);
          clearInterval(sweep);
        }
      },
    };
  };
}

async function readTls(
  cert: string,
  key: string,
  directory: string,
): Promise<{ cert: Buffer; key: Buffer } | undefined> {
  if (cert === '' && key === '') return undefined;
  if (cert === '' || key === '') {
    throw new AppError('invalid_input', 'TLS_CERT and TLS_KEY belong together; set both or none');
  }
  const read = async (name: string, path: string): Promise<Buffer> => {
    try {
      return await readFile(resolve(directory, path));
    } catch (cause) {
      throw new AppError('invalid_input', `${name} names ${path}, which cannot be read; check path and permissions`, {
        cause,
      });
    }
  };
  return { cert: await read('TLS_CERT', cert), key: await read('TLS_KEY', key) };
}

function listenError(cause: unknown, host: string, port: number): AppError {
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  const reasons: Record<string, string> = {
    EADDRINUSE: 'another program listens there already; stop it or choose another HTTP_PORT',
    EACCES: 'this user may not listen there; choose an HTTP_PORT above 1023',
    EADDRNOTAVAIL: 'this machine does not have that address; check HTTP_HOST',
  };
  const reason = reasons[code] ?? (cause instanceof Error ? cause.message : String(cause));
  return new AppError('failed', `cannot listen on ${host} port ${port}: ${reason}`, { cause });
}

function addressOf(address: AddressInfo, encrypted: boolean): string {
  const everywhere = address.address === '0.0.0.0' || address.address === '::';
  const host = everywhere ? 'localhost' : address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${encrypted ? 'https' : 'http'}://${host}:${address.port}`;
}
