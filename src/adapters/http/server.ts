import type { FastifyInstance } from 'fastify';
import { closeGently, listen, readTls } from '../listener/listener.ts';
import { takeRenewedCertificates } from '../listener/renewed-certificates.ts';
import { buildHttpApp, type HttpAppDeps } from './app.ts';
import { httpMetrics } from './metrics/metrics.ts';

export interface HttpServerOptions {
  /** Shown in the documentation. */
  readonly version: string;
  /** The directory that relative paths of certificate and key start from; the working directory if absent. */
  readonly directory?: string;
  /** How long requests that are under way may take when the service stops. */
  readonly stopSeconds?: number;
}

export interface HttpServer {
  /** Listens, and returns the address by which clients on this machine reach it. */
  start(): Promise<string>;
  /**
   * Reports that it is no longer ready, and ends connections after their next answer; everything else is answered as before.
   * Idempotent.
   */
  drain(): void;
  /** Takes no new requests, waits for those under way, then closes. Idempotent. */
  stop(): Promise<void>;
}

/** The HTTP service on the address of the configuration. */
export function httpServer(options: HttpServerOptions): (deps: HttpAppDeps) => HttpServer {
  return (deps) => {
    const { services } = deps;
    const { config } = services;
    const draining = { isDraining: false };
    const directory = options.directory ?? '.';
    let app: FastifyInstance | undefined;
    let endRenewal: (() => void) | undefined;
    return {
      async start() {
        const tls = await readTls(config, directory);
        const metrics = deps.metrics ?? httpMetrics();
        metrics.start();
        app = buildHttpApp(
          { version: options.version, ...(tls === undefined ? {} : { tls }) },
          { ...deps, metrics, draining },
        );
        const address = {
          host: config.HTTP_HOST,
          port: config.HTTP_PORT,
          hostKey: 'HTTP_HOST',
          portKey: 'HTTP_PORT',
        } as const;
        const reached = await listen(app, address, tls !== undefined);
        endRenewal = await takeRenewedCertificates(app.server, { config, directory }, services.logger);
        return reached;
      },
      drain() {
        draining.isDraining = true;
      },
      async stop() {
        draining.isDraining = true;
        endRenewal?.();
        const closing = app;
        app = undefined;
        if (closing !== undefined) await closeGently(closing, options.stopSeconds);
      },
    };
  };
}
