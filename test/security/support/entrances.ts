import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { adminInterface } from '../../../src/adapters/admin/routes.ts';
import { buildHttpApp } from '../../../src/adapters/http/app.ts';
import { remoteCalls } from '../../../src/adapters/http/remote-calls.ts';
import { protocolServer } from '../../../src/adapters/mcp/protocol.ts';
import type { Caller } from '../../../src/app/kernel/caller.ts';
import type { Config } from '../../../src/app/kernel/config/schema.ts';
import type { OpenedStorage } from '../../../src/testing/harness.ts';
import { OperationsApp, PASSWORD } from '../../app/operations/operations-app.ts';

export { PASSWORD } from '../../app/operations/operations-app.ts';

/** What an attempt came to, whatever the entrance. */
export interface Attempt {
  readonly ok: boolean;
  /** The code of the refusal. */
  readonly code: string | undefined;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly body: any;
}

/** A whole service over one store, reached as users reach it. */
export class Entrances {
  readonly muster: OperationsApp;
  readonly http: FastifyInstance;
  readonly #opened: OpenedStorage | undefined;
  readonly #password: string;
  readonly #clients = new Map<string, Client>();
  readonly #cookies = new Map<string, string>();

  private constructor(muster: OperationsApp, password: string, opened?: OpenedStorage) {
    this.muster = muster;
    this.http = httpOf(muster);
    this.#password = password;
    this.#opened = opened;
  }

  static async over(create: () => Promise<OpenedStorage>, config: Partial<Config> = {}): Promise<Entrances> {
    const opened = await create();
    const muster = await OperationsApp.over(opened.storage, config);
    return new Entrances(muster, PASSWORD, opened);
  }

  /** Those of a program that the test stops itself, and whose users all have the password; `close` ends them. */
  static beside(muster: OperationsApp, password = PASSWORD): Entrances {
    return new Entrances(muster, password);
  }

  async rest(user: string, request: InjectOptions): Promise<Attempt> {
    const authorization = `Basic ${Buffer.from(`${user}:${this.#password}`).toString('base64')}`;
    return attemptOf(await this.http.inject({ ...request, headers: { authorization, ...request.headers } }));
  }

  /** An operation as the pages call it. */
  async page(cookie: string, operation: string, input: object = {}): Promise<Attempt> {
    const url = `/admin/api/operations/${operation}`;
    return attemptOf(await this.http.inject({ method: 'POST', url, payload: input, headers: { cookie } }));
  }

  /** An operation as a command on another machine calls it. */
  remote(user: string, operation: string, payload: object = {}): Promise<Attempt> {
    return this.rest(user, { method: 'POST', url: `/api/operations/${operation}`, payload });
  }

  /** The cookie of a new session, or the refusal. */
  async logIn(name: string, password = this.#password): Promise<Attempt & { readonly cookie: string }> {
    const url = '/admin/api/session';
    const response = await this.http.inject({ method: 'POST', url, payload: { name, password } });
    return { ...attemptOf(response), cookie: String(response.headers['set-cookie']).split(';')[0] as string };
  }

  /** The cookie of a session that lasts as long as the test. */
  async cookieOf(name: string): Promise<string> {
    const cookie = this.#cookies.get(name) ?? (await this.logIn(name)).cookie;
    this.#cookies.set(name, cookie);
    return cookie;
  }

  async tool(user: string, name: string, input: Record<string, unknown> = {}): Promise<Attempt> {
    const client = await this.#client(user);
    const result = await client.callTool({ name, arguments: input });
    const text = (result.content as { text: string }[])[0]?.text ?? 'null';
    const body = JSON.parse(text);
    return { ok: result.isError !== true, code: result.isError ? body.code : undefined, text, body };
  }

  /** The text of a resource of the tool server; `undefined` when it is refused. */
  async resource(user: string, uri: string): Promise<string | undefined> {
    const client = await this.#client(user);
    const read = await client.readResource({ uri }).catch(() => undefined);
    return read?.contents.map((content) => ('text' in content ? content.text : '')).join('');
  }

  async #client(user: string): Promise<Client> {
    const caller = async (requestId: string): Promise<Caller> => ({
      ...(await this.muster.callerOf(user, this.#password)),
      entrance: 'mcp',
      requestId,
    });
    let client = this.#clients.get(user);
    if (client === undefined) {
      const server = protocolServer({ version: '0.0.0', caller }, this.muster.app);
      const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
      await server.connect(serverSide);
      client = new Client({ name: 'test', version: '0.0.0' });
      await client.connect(clientSide);
      this.#clients.set(user, client);
    }
    return client;
  }

  async close(): Promise<void> {
    for (const client of this.#clients.values()) await client.close();
    await this.http.close();
  }

  async stop(): Promise<void> {
    await this.close();
    await this.muster.stop();
    await this.#opened?.close();
  }
}

function httpOf({ app: { services, executor } }: OperationsApp): FastifyInstance {
  const mounts = [adminInterface, remoteCalls].map((mount) => mount({ version: '0.0.0' })({ services, executor }));
  return buildHttpApp({ version: '0.0.0' }, { services, executor, mounts });
}

function attemptOf({ statusCode, body: text }: LightMyRequestResponse): Attempt {
  const body = text === '' ? null : JSON.parse(text);
  return { ok: statusCode < 400, code: statusCode < 400 ? undefined : body?.code, text, body };
}
