import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { httpClients } from '../../../src/adapters/http-client/client.ts';
import { type HttpClient, HttpError, type HttpLimits, type HttpSettings } from '../../../src/ports/index.ts';
import { putTogether } from '../../support/english-wordings.ts';
import { type MisbehavingServer, misbehavingServer } from '../../support/misbehaving-server.ts';
import { type LoggedLine, recordingLogger } from '../../support/recording-logger.ts';

export interface FixedClient {
  readonly client: HttpClient;
  /** Seconds that were waited between tries; no time passes for them. */
  readonly waits: number[];
  readonly lines: LoggedLine[];
}

export const NOW = new Date('2026-11-02T10:30:00Z');

/** Long enough for an answer of this machine, and short enough for a test. */
const QUICK: Partial<HttpLimits> = {
  connectSeconds: 2,
  answerSeconds: 2,
  idleSeconds: 2,
  requestSeconds: 5,
  streamSeconds: 5,
};

const opened: HttpClient[] = [];

/** A client whose time, chance and pauses are the test's. */
export function fixedClient(url: string, settings: Partial<HttpSettings> = {}, now = () => NOW): FixedClient {
  const waits: number[] = [];
  const lines: LoggedLine[] = [];
  const clients = httpClients({
    clock: { now },
    random: () => 0.5,
    async sleep(seconds, signal) {
      signal.throwIfAborted();
      waits.push(seconds);
    },
  });
  const client = clients.client({
    url,
    logger: recordingLogger(lines),
    ...settings,
    limits: { ...QUICK, ...settings.limits },
  });
  opened.push(client);
  return { client, waits, lines };
}

/** The server of a file's tests. After each test its clients are closed and what it saw is forgotten. */
export function startedServer(): MisbehavingServer {
  let server: MisbehavingServer;
  beforeAll(async () => {
    server = await misbehavingServer();
  });
  afterEach(async () => {
    await closeClients();
    server.requests.length = 0;
  });
  afterAll(() => server.close());
  return {
    get origin() {
      return server.origin;
    },
    get requests() {
      return server.requests;
    },
    at: (path, ...answers) => server.at(path, ...answers),
    close: () => server.close(),
  };
}

export async function closeClients(): Promise<void> {
  await Promise.all(opened.splice(0).map((client) => client.close()));
}

/** A signal that nobody aborts. */
export const context = { signal: new AbortController().signal };

/** What a promise fails with. An error of the client has its parts, for pages in other languages. */
export async function errorOf(promise: Promise<unknown>): Promise<HttpError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof HttpError) expect(error.wording && putTogether(error.wording)).toBe(error.message);
    return error as HttpError;
  }
  throw new Error('nothing was thrown');
}

export async function all<T>(batches: AsyncIterable<readonly T[]>): Promise<T[]> {
  const found: T[] = [];
  for await (const batch of batches) found.push(...batch);
  return found;
}
