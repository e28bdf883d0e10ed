import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { buildHttpApp } from '../../../src/adapters/http/app.ts';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { saveHostsBulk } from '../../../src/app/hosts/operations/save-hosts-bulk.ts';
import { type Caller, localOperator } from '../../../src/app/kernel/caller.ts';
import { type Config, configSchema } from '../../../src/app/kernel/config/schema.ts';
import type { OperationInput } from '../../../src/app/kernel/executor.ts';
import type { ValueOperation } from '../../../src/app/kernel/operation.ts';
import { addUser } from '../../../src/app/users/operations/add-user.ts';
import { type App, createApp } from '../../../src/main/compose.ts';
import { type LoggedLine, recordingLogger } from '../../support/recording-logger.ts';

const PASSWORD = 'correct horse battery';
export const OPERATOR: Caller = localOperator({ name: 'operator', path: 'test', requestId: 'test' });

/** The service over SQLite with its real worker threads and a port of its own: what competes for them is what is tested. */
export class BusyService {
  readonly app: App;
  readonly log: readonly LoggedLine[];
  readonly #http: FastifyInstance;
  readonly #directory: string;

  private constructor(app: App, http: FastifyInstance, log: readonly LoggedLine[], directory: string) {
    this.app = app;
    this.#http = http;
    this.log = log;
    this.#directory = directory;
  }

  /** `plugins` are sources of modules. */
  static async start(config: Partial<Config> = {}, plugins: readonly string[] = []): Promise<BusyService> {
    const directory = await mkdtemp(join(tmpdir(), 'muster-denial-'));
    const paths = plugins.map((_, index) => join(directory, `plugin${index}.mjs`));
    for (const [index, path] of paths.entries()) await writeFile(path, plugins[index] ?? '');
    const defaults = configSchema.parse({ DATABASE_URL: 'sqlite:muster.db', LOG_LEVEL: 'silent', PLUGINS: paths });
    const effective: Config = { ...defaults, ...config };
    const origins = Object.fromEntries(Object.keys(effective).map((key) => [key, 'default'])) as never;
    const log: LoggedLine[] = [];
    const logger = recordingLogger(log);
    const app = await createApp({
      config: effective,
      origins,
      workingDirectory: directory,
      role: 'service',
      logger,
    });
    await app.start();
    const http = buildHttpApp({ version: '0.0.0' }, { services: app.services, executor: app.executor });
    await http.listen({ host: '127.0.0.1', port: 0 });
    const service = new BusyService(app, http, log, directory);
    await service.run(addAccount, { name: 'lab', type: 'api' });
    return service;
  }

  run<I, O>(operation: ValueOperation<I, O>, value: unknown, caller: Caller = OPERATOR): Promise<O> {
    const input: OperationInput = { kind: 'value', value };
    return this.app.executor.value(operation, input, caller);
  }

  /** Somebody with these roles, as a caller over REST. */
  async addCaller(name: string, roles: readonly string[]): Promise<Caller> {
    await this.run(addUser, { name, password: PASSWORD, roles });
    const identity = await this.app.services.users.authenticate({ kind: 'password', name, password: PASSWORD });
    if (identity === undefined) throw new Error(`user ${name} cannot log in`);
    return { ...identity, entrance: 'rest', address: '127.0.0.1', requestId: 'test', path: '/api/v1/test' };
  }

  async addHosts(count: number, labels: (index: number) => Record<string, unknown>): Promise<void> {
    const objects = Array.from({ length: count }, (_, index) => ({
      hostname: `host${String(index).padStart(5, '0')}`,
      labels: labels(index),
    }));
    await this.run(saveHostsBulk, { account: 'lab', objects });
  }

  get #port(): number {
    return (this.#http.server.address() as AddressInfo).port;
  }

  fetch(user: string, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: authorizationOf(user), ...init.headers };
    return fetch(`http://127.0.0.1:${this.#port}${path}`, { ...init, headers });
  }

  /** A connection that asks and has read nothing of the answer yet. */
  async ask(user: string, path: string): Promise<Socket> {
    const socket = connect(this.#port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.pause();
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorizationOf(user)}\r\n\r\n`);
    return socket;
  }

  async stop(): Promise<void> {
    this.#http.server.closeAllConnections();
    await this.#http.close();
    await this.app.stop();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

function authorizationOf(user: string): string {
  return `Basic ${Buffer.from(`${user}:${PASSWORD}`).toString('base64')}`;
}
