import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { adminInterface } from '../../../src/adapters/admin/routes.ts';
import { buildHttpApp } from '../../../src/adapters/http/app.ts';
import { remoteCalls } from '../../../src/adapters/http/remote-calls.ts';
import type { Services } from '../../../src/adapters/listener/services.ts';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { type Config, configSchema } from '../../../src/app/kernel/config/schema.ts';
import type { Executor } from '../../../src/app/kernel/executor.ts';
import { createApp } from '../../../src/main/compose.ts';
import type { Clock, RuleDocument, Storage } from '../../../src/ports/index.ts';
import { StoredJson } from '../../../src/ports/index.ts';
import { quickPasswords } from '../../support/quick-passwords.ts';
import { type LoggedLine, recordingLogger } from '../../support/recording-logger.ts';

export interface HttpService {
  readonly app: FastifyInstance;
  readonly services: Services;
  readonly executor: Executor;
  readonly storage: Storage;
  readonly log: LoggedLine[];
  /** Basic credentials of a user that holds every role, unless the request says otherwise. */
  request(options: InjectOptions & { user?: string | null }): Promise<LightMyRequestResponse>;
  addAccount(name: string, members?: RuleDocument): Promise<void>;
  addUser(name: string, members?: RuleDocument): Promise<void>;
  stop(): Promise<void>;
}

export interface HttpServiceOptions {
  /** False: without the user `root`. */
  readonly hasUsers?: boolean;
  readonly config?: Partial<Config>;
  /** Wraps the storage, to make it fail or wait. */
  readonly storage?: (storage: Storage) => Storage;
  readonly clock?: Clock;
  /** Offers the admin interface too. */
  readonly admin?: boolean;
  /** Lets commands on other machines call operations. */
  readonly remote?: boolean;
  /** Where the built documentation is. */
  readonly docsFolder?: string;
  /** Passwords cost what they cost a service. */
  readonly usualHashes?: boolean;
}

export const PASSWORD = 'correct horse';
const CLOCK: Clock = { now: () => new Date('2026-03-01T12:00:00Z') };

/** The HTTP application over a storage in memory, with account `crm` and user `root`, who may do everything. */
export async function startHttpService(options: HttpServiceOptions = {}): Promise<HttpService> {
  const config: Config = { ...configSchema.parse({ DATABASE_URL: 'memory:' }), ...options.config };
  const origins = Object.fromEntries(Object.keys(config).map((key) => [key, 'default'])) as never;
  const log: LoggedLine[] = [];
  const clock = options.clock ?? CLOCK;
  const memory = memoryStorage()({ clock });
  await memory.start();
  const storage = options.storage?.(memory) ?? memory;
  const application = await createApp({
    config,
    origins,
    workingDirectory: process.cwd(),
    role: 'service',
    storage,
    clock,
    logger: recordingLogger(log),
    ...(options.usualHashes === true ? {} : { passwords: quickPasswords() }),
  });
  await application.start();
  const { services, executor } = application;
  const app = buildHttpApp(
    { version: '0.0.0', ...(options.docsFolder === undefined ? {} : { docsFolder: options.docsFolder }) },
    {
      services,
      executor,
      mounts: [
        ...(options.admin === true ? [adminInterface({ version: '0.0.0' })({ services, executor })] : []),
        ...(options.remote === true ? [remoteCalls({ version: '0.0.0' })({ services, executor })] : []),
      ],
    },
  );
  const passwordHash = await sharedPasswordHash(services, options.usualHashes === true);

  async function put(type: string, name: string, members: RuleDocument): Promise<void> {
    const id = services.newId();
    const document = { _id: { $oid: id }, name, enabled: true, ...members };
    await memory.rules.write({
      entries: [{ type, id, name, uniqueName: true, document: StoredJson.ofValue(document), confirmedBy: 'operator' }],
      mode: 'replace',
      actor: { kind: 'system', name: 'test' },
      at: CLOCK.now(),
    });
  }

  const service: HttpService = {
    app,
    services,
    executor,
    storage,
    log,
    async request({ user = 'root', ...request }) {
      const headers = { ...(user === null ? {} : { authorization: basic(user, PASSWORD) }), ...request.headers };
      return app.inject({ ...request, headers });
    },
    addAccount: (name, members = {}) => put('accounts', name, { type: 'api', ...members }),
    addUser: (name, members = {}) => put('users', name, { pwdhash: passwordHash, api_roles: ['all'], ...members }),
    async stop() {
      await app.close();
      await application.stop();
      await memory.stop();
    },
  };
  await service.addAccount('crm');
  if (options.hasUsers !== false) await service.addUser('root', { global_admin: true });
  return service;
}

export function basic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
}

const hashes = new Map<boolean, Promise<string>>();

function sharedPasswordHash(services: Services, isUsual: boolean): Promise<string> {
  const hash = hashes.get(isUsual) ?? services.passwords.hash(PASSWORD);
  hashes.set(isUsual, hash);
  return hash;
}
