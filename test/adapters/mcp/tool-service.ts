import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { buildToolApp, type ToolApp, type ToolAppOptions } from '../../../src/adapters/mcp/network/app.ts';
import { protocolServer } from '../../../src/adapters/mcp/protocol.ts';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import type { Caller } from '../../../src/app/kernel/caller.ts';
import { localOperator } from '../../../src/app/kernel/caller.ts';
import { type Config, configSchema } from '../../../src/app/kernel/config/schema.ts';
import type { ValueOperation } from '../../../src/app/kernel/operation.ts';
import { addUser } from '../../../src/app/users/operations/add-user.ts';
import { type App, createApp } from '../../../src/main/compose.ts';
import type { Clock, Storage } from '../../../src/ports/index.ts';
import { quickPasswords } from '../../support/quick-passwords.ts';
import { type LoggedLine, recordingLogger } from '../../support/recording-logger.ts';

export const PASSWORD = 'correct horse battery';
const CLOCK: Clock = { now: () => new Date('2026-03-01T12:00:00Z') };

const INSTANCE_KEY = '11'.repeat(32);

/** An answer of a tool as a client sees it. */
export interface ToolAnswer {
  readonly isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly value: any;
}

/** The application with user `root` (role `mcp`) and account `crm`, and clients of its tool server. */
export class ToolService {
  readonly app: App;
  readonly storage: Storage;
  readonly log: LoggedLine[];
  readonly #closing: (() => Promise<void>)[] = [];

  private constructor(app: App, storage: Storage, log: LoggedLine[]) {
    this.app = app;
    this.storage = storage;
    this.log = log;
  }

  static async start(
    config: Partial<Config> = {},
    wrap: (storage: Storage) => Storage = (storage) => storage,
  ): Promise<ToolService> {
    const log: LoggedLine[] = [];
    const memory = memoryStorage()({ clock: CLOCK });
    await memory.start();
    const effective: Config = { ...configSchema.parse({ DATABASE_URL: 'memory:', INSTANCE_KEY }), ...config };
    const app = await createApp({
      config: effective,
      origins: Object.fromEntries(Object.keys(effective).map((key) => [key, 'default'])) as never,
      workingDirectory: process.cwd(),
      role: 'command',
      storage: wrap(memory),
      clock: CLOCK,
      logger: recordingLogger(log),
      passwords: quickPasswords(),
    });
    await app.start();
    const service = new ToolService(app, memory, log);
    service.#closing.push(() => app.stop());
    await service.addAccount('crm');
    await service.addUser('root');
    return service;
  }

  operate<I, O>(operation: ValueOperation<I, O>, value: unknown): Promise<O> {
    const caller = localOperator({ name: 'operator', path: 'test', requestId: 'test' });
    return this.app.executor.value(operation, { kind: 'value', value }, caller);
  }

  addAccount(name: string, members: Record<string, unknown> = {}): Promise<unknown> {
    return this.operate(addAccount, { name, type: 'api', ...members });
  }

  addUser(name: string, members: Record<string, unknown> = {}): Promise<unknown> {
    return this.operate(addUser, { name, password: PASSWORD, roles: ['mcp'], ...members });
  }

  async callerOf(name: string, members: Partial<Caller> = {}): Promise<Caller> {
    const identity = await this.app.services.users.authenticate({ kind: 'password', name, password: PASSWORD });
    if (identity === undefined) throw new Error(`user ${name} cannot log in`);
    return { ...identity, entrance: 'mcp', address: '127.0.0.1', requestId: 'test', path: '/mcp', ...members };
  }

  /** A client of the SDK, which also holds every answer against the schema of its tool. */
  async client(user = 'root'): Promise<Client> {
    const server = protocolServer(
      { version: '0.0.0', caller: (requestId) => this.callerOf(user, { requestId }) },
      this.app,
    );
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    await server.connect(serverSide);
    const client = new Client({ name: 'test', version: '0.0.0' });
    await client.connect(clientSide);
    await client.listTools();
    this.#closing.unshift(() => client.close());
    return client;
  }

  /** A call of a new client; the text and the structured answer are held against each other. */
  async call(name: string, given: unknown = {}, user = 'root'): Promise<ToolAnswer> {
    return callTool(await this.client(user), name, given);
  }

  network(options: Partial<ToolAppOptions> = {}): ToolApp {
    const tools = buildToolApp({ version: '0.0.0', ...options }, this.app);
    this.#closing.unshift(async () => {
      await tools.sessions.closeAll();
      await tools.app.close();
    });
    return tools;
  }

  async stop(): Promise<void> {
    for (const close of this.#closing) await close();
    await this.storage.stop();
  }
}

export async function callTool(client: Client, name: string, given: unknown = {}): Promise<ToolAnswer> {
  const result = await client.callTool({ name, arguments: given as Record<string, unknown> });
  const [content] = result.content as { type: string; text: string }[];
  const value = JSON.parse(content?.text ?? 'null');
  const isError = result.isError === true;
  if (!isError && JSON.stringify(result.structuredContent) !== content?.text) {
    throw new Error('text and structured content differ');
  }
  return { isError, value };
}

export function basic(name: string, password = PASSWORD): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
}
