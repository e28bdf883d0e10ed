import { closeGently, type ListenAddress, listen, readTls } from '../../listener/listener.ts';
import { takeRenewedCertificates } from '../../listener/renewed-certificates.ts';
import { buildToolApp, type ToolApp, type ToolAppDeps } from './app.ts';

export interface ToolServerOptions {
  /** Version of the program. */
  readonly version: string;
  readonly address: ListenAddress;
  /** The directory that relative paths of certificate and key start from; the working directory if absent. */
  readonly directory?: string;
}

export interface ToolServer {
  /** Listens, and returns the address by which clients on this machine reach it. */
  start(): Promise<string>;
  /** Ends connections behind their next answer; requests are answered as before. Idempotent. */
  drain(): void;
  /** Closes event streams, waits for other requests under way, then closes. Idempotent. */
  stop(): Promise<void>;
}

/** The tool server on an address of the network: `/mcp` and `/sse`. */
export function toolServer(options: ToolServerOptions): (deps: ToolAppDeps) => ToolServer {
  return (deps) => {
    const { config, logger } = deps.services;
    const directory = options.directory ?? '.';
    const draining = { isDraining: false };
    let running: ToolApp | undefined;
    let endRenewal: (() => void) | undefined;
    return {
      async start() {
        const tls = await readTls(config, directory);
        running = buildToolApp({ version: options.version, draining, ...(tls === undefined ? {} : { tls }) }, deps);
        const reached = await listen(running.app, options.address, tls !== undefined);
        endRenewal = await takeRenewedCertificates(running.app.server, { config, directory }, logger);
        return reached;
      },
      drain() {
        draining.isDraining = true;
      },
      async stop() {
        draining.isDraining = true;
        endRenewal?.();
        const closing = running;
        running = undefined;
        if (closing === undefined) return;
        await closing.sessions.closeAll();
        await closeGently(closing.app);
      },
    };
  };
}
