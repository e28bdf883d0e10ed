import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { Config } from '../../src/app/kernel/config/schema.ts';
import type { Figures } from './benchmark.ts';
import type { Kit } from './kit.ts';
import { LoopWatch } from './loop-watch.ts';

/**
 * A server in a process of its own that can be asked what it used, and what to do. A side calls `answerQuestions`; the
 * benchmark holds a `Server`.
 */

type Question = 'mark' | 'figures' | 'stop' | 'act';

interface Asked {
  readonly question: Question;
  readonly value?: unknown;
}

/** Tells the parent where the server listens, then answers it until it says `stop`. */
export async function answerQuestions(options: {
  readonly address: string;
  stop(): Promise<void>;
  act?(value: unknown): Promise<Figures>;
}): Promise<Figures> {
  const watch = new LoopWatch();
  let cpu = process.cpuUsage();
  process.send?.({ address: options.address });
  for (;;) {
    const [{ question, value }] = (await once(process, 'message')) as [Asked];
    if (question === 'mark') {
      cpu = process.cpuUsage();
      watch.start();
      process.send?.({});
    } else if (question === 'figures') {
      const { user, system } = process.cpuUsage(cpu);
      process.send?.({
        cpuMs: (user + system) / 1000,
        heldMs: watch.stop(),
        rssMb: process.resourceUsage().maxRSS / 1024,
      });
    } else if (question === 'act') {
      // Goes on while other questions come.
      void options.act?.(value).then((acted) => process.send?.({ acted }));
    } else {
      await options.stop();
      return {};
    }
  }
}

export class Server {
  readonly address: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, address: string) {
    this.#child = child;
    this.address = address;
  }

  static async start(kit: Kit, side: string, args: unknown): Promise<Server> {
    const child = kit.start(side, args);
    const [message] = (await once(child, 'message')) as [{ address: string }];
    return new Server(child, message.address);
  }

  /** Begins to count what the server uses. */
  async mark(): Promise<void> {
    await this.#ask('mark');
  }

  /** Since `mark`: processor time, the longest that the event loop was held, and the process's largest memory. */
  async figures(): Promise<Figures> {
    return this.#ask('figures');
  }

  async act(value?: unknown): Promise<Figures> {
    this.#child.send({ question: 'act', value } satisfies Asked);
    for (;;) {
      const [message] = (await once(this.#child, 'message')) as [{ acted?: Figures }];
      if (message.acted !== undefined) return message.acted;
    }
  }

  async stop(): Promise<void> {
    this.#child.send({ question: 'stop' } satisfies Asked);
    await once(this.#child, 'exit');
  }

  async #ask(question: Question): Promise<Figures> {
    this.#child.send({ question } satisfies Asked);
    for (;;) {
      const [message] = (await once(this.#child, 'message')) as [Figures & { acted?: Figures }];
      if (message.acted === undefined) return message;
    }
  }
}

export interface Answer {
  readonly status: number;
  readonly ms: number;
  readonly bytes: number;
  readonly etag: string | undefined;
}

/** A client with connections that stay open. */
export class Client {
  readonly #address: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent: Agent;

  constructor(address: string, headers: Readonly<Record<string, string>>, connections = 1) {
    this.#address = address;
    this.#headers = headers;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  async send(
    path: string,
    options: { method?: string; body?: Buffer; headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Answer> {
    const { method = 'GET', body, headers = {} } = options;
    const start = performance.now();
    const sent = request(`${this.#address}${path}`, {
      method,
      agent: this.#agent,
      headers: {
        ...this.#headers,
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
      },
    });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let bytes = 0;
    for await (const chunk of response) bytes += (chunk as Buffer).length;
    const { etag } = response.headers;
    return { status: response.statusCode ?? 0, ms: performance.now() - start, bytes, etag };
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Until the first piece of the body is there, milliseconds; the rest is not waited for. */
export async function firstByte(url: string, authorization: string): Promise<number> {
  const start = performance.now();
  const sent = request(url, { headers: { authorization } });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  await once(response, 'data');
  const ms = performance.now() - start;
  response.destroy();
  return ms;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** The shortest of several runs, in milliseconds: what else the machine does is not the product's. */
export async function leastMs(repeats: number, work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return percentile(times, 0);
}

/** The service in this process, listening on a free port. */
export async function serveProduct(
  folder: string,
  act?: (value: unknown) => Promise<Figures>,
  config: Partial<Config> = {},
): Promise<Figures> {
  const { openProduct } = await import('./product.ts');
  const { httpServer } = await import('../../src/adapters/http/server.ts');
  const app = await openProduct({ folder, role: 'service', config });
  const server = httpServer({ version: 'bench' })({ services: app.services, executor: app.executor });
  const address = await server.start();
  apps.set(folder, app);
  return answerQuestions({
    address,
    async stop() {
      await server.stop();
      await app.stop();
    },
    ...(act === undefined ? {} : { act }),
  });
}

/** The application that serves a folder, for the acts of its side. */
export const apps = new Map<string, import('../../src/main/compose.ts').App>();
