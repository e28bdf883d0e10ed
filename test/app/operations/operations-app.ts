import { addAccount } from '../../../src/app/accounts/operations/add-account.ts';
import { type Caller, localOperator } from '../../../src/app/kernel/caller.ts';
import { type Config, configSchema } from '../../../src/app/kernel/config/schema.ts';
import type { ExecuteOptions } from '../../../src/app/kernel/executor.ts';
import type { StreamOperation, ValueOperation } from '../../../src/app/kernel/operation.ts';
import { addUser } from '../../../src/app/users/operations/add-user.ts';
import { type App, createApp } from '../../../src/main/compose.ts';
import type { ProcessRole } from '../../../src/main/settings.ts';
import type { Clock, Logger, PlaybookRunner, Storage } from '../../../src/ports/index.ts';
import { quickPasswords } from '../../support/quick-passwords.ts';

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => SILENT };
export const PASSWORD = 'correct horse battery';
const INSTANCE_KEY = '11'.repeat(32);

export const OPERATOR: Caller = localOperator({ name: 'operator', path: 'test', requestId: 'test' });

/** The application over a given storage, with short ways to call its operations. */
export class OperationsApp {
  readonly app: App;
  readonly storage: Storage;

  private constructor(app: App, storage: Storage) {
    this.app = app;
    this.storage = storage;
  }

  static async over(
    storage: Storage,
    config: Partial<Config> = {},
    logger: Logger = SILENT,
    playbookRunner?: PlaybookRunner,
    clock?: Clock,
    role: ProcessRole = 'command',
  ): Promise<OperationsApp> {
    const effective: Config = { ...configSchema.parse({ DATABASE_URL: 'memory:', INSTANCE_KEY }), ...config };
    const origins = Object.fromEntries(Object.keys(effective).map((key) => [key, 'default'])) as never;
    const app = await createApp({
      config: effective,
      origins,
      workingDirectory: process.cwd(),
      role,
      storage,
      logger,
      passwords: quickPasswords(),
      ...(playbookRunner === undefined ? {} : { playbookRunner }),
      ...(clock === undefined ? {} : { clock }),
    });
    await app.start();
    return new OperationsApp(app, storage);
  }

  /** As a process that answers many requests, which keeps what the next may ask for. */
  static serving(storage: Storage): Promise<OperationsApp> {
    return OperationsApp.over(storage, {}, SILENT, undefined, undefined, 'server');
  }

  run<I, O>(
    operation: ValueOperation<I, O>,
    value: unknown,
    caller: Caller = OPERATOR,
    options: ExecuteOptions = {},
  ): Promise<O> {
    return this.app.executor.value(operation, { kind: 'value', value }, caller, options);
  }

  async read<I>(operation: StreamOperation<I>, value: unknown, caller: Caller = OPERATOR): Promise<never> {
    return JSON.parse(await this.text(operation, value, caller)) as never;
  }

  async text<I>(operation: StreamOperation<I>, value: unknown, caller: Caller = OPERATOR): Promise<string> {
    const answer = await this.app.executor.stream(operation, { kind: 'value', value }, caller);
    let text = '';
    for await (const chunk of answer.body) text += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
    return text;
  }

  async addAccounts(...names: readonly string[]): Promise<void> {
    for (const name of names) await this.run(addAccount, { name, type: 'api' });
  }

  /** Creates a user and answers it as a caller over REST. */
  async addCaller(name: string, holds: Record<string, unknown>): Promise<Caller> {
    await this.run(addUser, { name, password: PASSWORD, ...holds });
    return this.callerOf(name);
  }

  async callerOf(name: string, password = PASSWORD): Promise<Caller> {
    const identity = await this.app.services.users.authenticate({ kind: 'password', name, password });
    if (identity === undefined) throw new Error(`user ${name} cannot log in`);
    return { ...identity, entrance: 'rest', address: '127.0.0.1', requestId: 'test', path: '/api/v1/test' };
  }

  stop(): Promise<void> {
    return this.app.stop();
  }
}
