import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Executor } from '../../app/kernel/executor.ts';
import { AppError } from '../../ports/index.ts';
import type { Services } from '../listener/services.ts';
import { type BoundCredentials, boundUser } from './bound-user.ts';
import { CallsUnderWay } from './calls-under-way.ts';
import { LineTransport } from './line-transport.ts';
import { protocolServer } from './protocol.ts';

export interface StdioOptions {
  /** Version of the program. */
  readonly version: string;
  readonly credentials: BoundCredentials;
  readonly input: Readable;
  /** Receives the protocol and nothing else. */
  readonly output: Writable;
  /** Ends the connection at once; active calls are given up. */
  readonly signal: AbortSignal;
}

export interface StdioDeps {
  readonly executor: Executor;
  readonly services: Services;
}

/**
 * Serves the one client that started this process, as one user. Resolves when the client has closed its end and all earlier
 * requests have been answered.
 */
export async function serveStdio(options: StdioOptions, deps: StdioDeps): Promise<void> {
  const { input, output, signal } = options;
  const { config, logger } = deps.services;
  const calls = new CallsUnderWay();
  const server = protocolServer(
    {
      version: options.version,
      caller: await boundUser(options.credentials, deps.services),
      began: () => calls.begin(),
    },
    deps,
  );
  const ended = endOf(input, output, signal);
  await server.connect(new LineTransport({ input, output, maxMessageBytes: config.MAX_BODY_BYTES }));
  let fault: Error | undefined;
  server.onerror = (error) => {
    fault = error;
    logger.warn('message of the tool client failed', { error });
  };
  const brokenOff = new Promise<never>((_resolve, reject) => {
    server.onclose = () =>
      reject(
        new AppError(
          'too_large',
          `the client sent a message that cannot be read; one may have ${config.MAX_BODY_BYTES} bytes (MAX_BODY_BYTES)`,
          { cause: fault },
        ),
      );
  });
  try {
    // A message that is larger than allowed closes the connection from within.
    await Promise.race([ended, brokenOff]);
    if (!signal.aborted) await calls.settled();
  } finally {
    await server.close();
  }
}

/** Resolves at the end of the input, of the reader of the output, or of this process, whichever is first. */
async function endOf(input: Readable, output: Writable, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const over = new AbortController();
  const waiting = { signal: over.signal };
  await Promise.race([
    once(input, 'end', waiting),
    once(input, 'close', waiting),
    once(output, 'close', waiting),
    once(signal, 'abort', waiting),
  ]).finally(() => over.abort());
}
