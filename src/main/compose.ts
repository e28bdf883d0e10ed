import 'reflect-metadata';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MessagePort } from 'node:worker_threads';
import {
  type DependencyContainer,
  type InjectionToken,
  instanceCachingFactory,
  container as rootContainer,
} from 'tsyringe';
import { localFiles } from '../adapters/files/local-files.ts';
import { argon2PasswordHasher } from '../adapters/passwords/argon2-password-hasher.ts';
import { ansiblePlaybookRunner } from '../adapters/playbooks/ansible/ansible-runner.ts';
import { refusedPlaybookRunner } from '../adapters/playbooks/refused-runner.ts';
import { processIdentity } from '../adapters/process-identity.ts';
import { aesGcmSecretBox, type InstanceKeys } from '../adapters/secrets/aes-gcm-secret-box.ts';
import { parseInstanceKey } from '../adapters/secrets/instance-key.ts';
import { fixedInstanceKey, instanceKeysOfFile, previousKeyPath } from '../adapters/secrets/instance-key-file.ts';
import { fileKeyRotation, refusedKeyRotation } from '../adapters/secrets/key-rotation.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { AccountDirectory } from '../app/accounts/account-directory.ts';
import { InventoryCatalogue } from '../app/inventory/catalogue.ts';
import { providerServices } from '../app/inventory/provider-services.ts';
import { AuditTrail } from '../app/journal/audit/audit-trail.ts';
import { AuditForwarding } from '../app/journal/audit/forwarding.ts';
import { localOperator } from '../app/kernel/caller.ts';
import { CONFIG_FILE_NAMES, loadConfig } from '../app/kernel/config/load.ts';
import type { Config, ConfigKey, ConfigOrigins } from '../app/kernel/config/schema.ts';
import { createExecutor, type Executor, type OperationRunner } from '../app/kernel/executor.ts';
import { idSource } from '../app/kernel/new-id.ts';
import { startPlugins, stopPlugins } from '../app/kernel/plugin-host/lifecycle.ts';
import { loadPlugins } from '../app/kernel/plugin-host/load.ts';
import { offerPluginApi } from '../app/kernel/plugin-host/plugin-api-resolver.ts';
import { PluginRegistry } from '../app/kernel/plugin-host/registry.ts';
import type { Services } from '../app/kernel/services.ts';
import { Strangers } from '../app/kernel/strangers.ts';
import { withNamedStart } from '../app/kernel/unreachable-storage.ts';
import { sealClearSecrets } from '../app/maintenance/clear-secrets.ts';
import type { MachineFiles } from '../app/maintenance/file-modes.ts';
import { EvaluatorCache } from '../app/rules/evaluators.ts';
import { CronEngine } from '../app/runs/cron/cron-engine.ts';
import { CronGroupDirectory } from '../app/runs/cron/group-directory.ts';
import type { CallOperation } from '../app/runs/cron/job-runner.ts';
import { RefusalLimit } from '../app/users/refusal-limit.ts';
import { Sessions } from '../app/users/sessions.ts';
import { UserDirectory } from '../app/users/user-directory.ts';
import { BUILTIN_PLUGINS } from '../plugins/index.ts';
import {
  AppError,
  type AuditSink,
  type Clock,
  type FileAccess,
  type KeyRotation,
  type Logger,
  type PasswordHasher,
  type PlaybookCatalogue,
  type PlaybookRunner,
  type Plugin,
  type ProviderServices,
  type Scheduler,
  type Storage,
} from '../ports/index.ts';

/**
 * The composition root, to be read from top to bottom: settings, storage, plugins, services, executor. The only place
 * that reads the environment and that knows which adapter stands behind a port.
 */

/**
 * A `service` answers many callers, moves heavy work to threads and does by itself what has its time; a `server` does the
 * same but the last, beside a service; a `command` does one thing; a `worker` is a thread for heavy work.
 */
export type ProcessRole = 'service' | 'server' | 'command' | 'worker';

/** What a worker thread needs to compose the same application: plain data. */
interface AppSettings {
  readonly config: Config;
  readonly origins: ConfigOrigins;
  /** Relative paths in the configuration start here. */
  readonly workingDirectory: string;
  readonly role: ProcessRole;
}

export type WorkerSettings = Omit<AppSettings, 'role'>;

export interface AppInput extends AppSettings {
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** A storage that is already there (tests); the caller stops it. */
  readonly storage?: Storage;
  /** What runs playbooks instead of ansible-core (tests). */
  readonly playbookRunner?: PlaybookRunner;
  /** What hashes passwords at the usual cost when absent (tests, which make hundreds of users). */
  readonly passwords?: PasswordHasher;
  /** The way to the process's writer, in a worker. */
  readonly writer?: MessagePort;
  /** True for work on what is stored: a storage that is not there yet is an error then and not made. */
  readonly storageMustExist?: boolean;
}

export interface App {
  readonly services: Services;
  readonly executor: Executor;
  /** Opens the storage and starts plugins. Idempotent. */
  start(): Promise<void>;
  /** Stops everything in reverse order. Idempotent, and safe after a failed start. */
  stop(): Promise<void>;
}

/** Settings of this process: its environment, its working directory, its configuration file and the given flags. */
export async function processSettings(flags: Partial<Record<ConfigKey, unknown>> = {}): Promise<WorkerSettings> {
  const workingDirectory = process.cwd();
  const { config, origins } = await loadConfig({ environment: process.env, workingDirectory, flags });
  return { config, origins, workingDirectory };
}

/** Choices of the environment that are no configuration: they belong to one call of a command. */
export function callEnvironment(): {
  readonly inventoryProvider: string | undefined;
  readonly inventoryHost: string | undefined;
  readonly apiUser: string | undefined;
  readonly apiPassword: string | undefined;
} {
  return {
    inventoryProvider: process.env.SERVICE_INVENTORY_PROVIDER || undefined,
    inventoryHost: process.env.SERVICE_INVENTORY_HOST || undefined,
    apiUser: process.env.SERVICE_API_USER || undefined,
    apiPassword: process.env.SERVICE_API_PASSWORD || undefined,
  };
}

export async function createApp(input: AppInput): Promise<App> {
  const { config, role } = input;
  const logger = input.logger ?? (await defaultLogger(config, role));
  const clock = input.clock ?? systemClock;
  const opened =
    input.storage === undefined
      ? await openStorage(config.DATABASE_URL, input, logger, clock)
      : { storage: input.storage };
  const { storage } = opened;
  const { registry, plugins } = await composePlugins(input, logger);

  const container = rootContainer.createChildContainer();
  bind(container, TOKENS.accounts, (c) => new AccountDirectory({ storage, secrets: c.resolve(TOKENS.secrets) }));
  bind(container, TOKENS.secrets, () => aesGcmSecretBox({ keys: instanceKeys(input) }));
  bind(container, TOKENS.files, () => accountFiles(input));
  bind(container, TOKENS.refusals, () => new RefusalLimit({ limit: config.RATE_LIMIT_401_PER_MINUTE, logger }));
  bind(container, TOKENS.passwords, () => input.passwords ?? argon2PasswordHasher());
  bind(
    container,
    TOKENS.users,
    (c) =>
      new UserDirectory({
        storage,
        clock,
        accounts: c.resolve(TOKENS.accounts),
        passwords: c.resolve(TOKENS.passwords),
        refusals: c.resolve(TOKENS.refusals),
        rememberSeconds: config.CREDENTIAL_CACHE_SECONDS,
      }),
  );
  bind(
    container,
    TOKENS.auditForwarding,
    () =>
      new AuditForwarding({
        store: storage.audit,
        chain: audit.chain,
        access: storage.access,
        sinks: () => auditSinks(input),
        clock,
        logger,
      }),
  );
  bind(
    container,
    TOKENS.sessions,
    (c) =>
      new Sessions({
        store: storage.sessions,
        users: c.resolve(TOKENS.users),
        secrets: () => c.resolve(TOKENS.secrets),
        clock,
        idleHours: config.SESSION_HOURS,
        days: config.SESSION_DAYS,
      }),
  );
  bind(
    container,
    TOKENS.evaluators,
    (c) =>
      new EvaluatorCache({
        storage,
        plugins: registry,
        accounts: c.resolve(TOKENS.accounts),
        clock,
        logger,
        served: { names: config.INVENTORY_VARIABLE_NAMES, ansibleLabels: config.INVENTORY_ANSIBLE_LABELS },
      }),
  );
  bind<ProviderServices>(container, TOKENS.providerServices, (c) =>
    providerServices({
      storage,
      plugins: registry,
      evaluators: c.resolve(TOKENS.evaluators),
      accounts: c.resolve(TOKENS.accounts),
      secrets: () => c.resolve(TOKENS.secrets),
      logger,
    }),
  );
  bind(
    container,
    TOKENS.inventories,
    (c) =>
      new InventoryCatalogue({
        plugins: registry,
        services: c.resolve(TOKENS.providerServices),
        timeoutSeconds: config.PLUGIN_TIMEOUT_SECONDS,
        logger,
      }),
  );
  bind(
    container,
    TOKENS.cronGroups,
    (c) => new CronGroupDirectory({ storage, accounts: c.resolve(TOKENS.accounts), plugins: registry }),
  );
  const newId = idSource(() => clock.now());
  let cron: CronEngine | undefined;
  bind(container, TOKENS.cron, (c) => {
    cron = new CronEngine({
      storage,
      clock,
      logger,
      newId,
      plugins: registry,
      accounts: c.resolve(TOKENS.accounts),
      groups: c.resolve(TOKENS.cronGroups),
      process: processIdentity(),
      timeZone: config.TIMEZONE,
      actor: { kind: 'system', name: CRON_CALLER },
      callOperation: operationCaller(() => executor, newId),
    });
    return cron;
  });

  bind(container, TOKENS.playbooks, () => lazyPlaybookCatalogue(playbookFolder(input)));
  bind(container, TOKENS.playbookRunner, () => input.playbookRunner ?? playbookRunner(input));

  const audit = new AuditTrail({
    store: storage.audit,
    secrets: () => container.resolve(TOKENS.secrets),
    clock,
    logger,
    newId,
  });
  const strangers = new Strangers({ storage, audit, clock, logger, newId });
  const services: Services = {
    config,
    configOrigins: input.origins,
    storage,
    audit,
    clock,
    logger,
    get refusals() {
      return container.resolve(TOKENS.refusals);
    },
    strangers,
    plugins: registry,
    newId,
    // The writer of this process belongs to its own storage.
    openStorage: async (url) =>
      (await openStorage(url, { config, workingDirectory: input.workingDirectory }, logger, clock)).storage,
    get keyRotation() {
      return keyRotation(input);
    },
    machineFiles: machineFiles(input),
    get files() {
      return container.resolve(TOKENS.files);
    },
    get secrets() {
      return container.resolve(TOKENS.secrets);
    },
    get passwords() {
      return container.resolve(TOKENS.passwords);
    },
    get accounts() {
      return container.resolve(TOKENS.accounts);
    },
    get users() {
      return container.resolve(TOKENS.users);
    },
    get auditForwarding() {
      return container.resolve(TOKENS.auditForwarding);
    },
    get sessions() {
      return container.resolve(TOKENS.sessions);
    },
    get evaluators() {
      return container.resolve(TOKENS.evaluators);
    },
    get inventories() {
      return container.resolve(TOKENS.inventories);
    },
    get cronGroups() {
      return container.resolve(TOKENS.cronGroups);
    },
    get cron() {
      return container.resolve(TOKENS.cron);
    },
    get playbooks() {
      return container.resolve(TOKENS.playbooks);
    },
    get playbookRunner() {
      return container.resolve(TOKENS.playbookRunner);
    },
  };

  const heavy =
    (role === 'service' || role === 'server') && opened.shared
      ? await startableWorkers(input, logger, opened.writerPort)
      : undefined;
  const executor = createExecutor({ services, ...(heavy === undefined ? {} : { heavy }) });
  const scheduler = role === 'service' ? await composeScheduler(executor, services) : undefined;
  const pluginCalls = { timeoutSeconds: config.PLUGIN_TIMEOUT_SECONDS, settings: config.PLUGIN_OPTIONS };
  let started = false;

  return {
    services,
    executor,
    async start() {
      if (started) return;
      if (input.storage === undefined) await storage.start();
      await startPlugins(plugins, { registry, logger, ...pluginCalls });
      // A key that cannot be used is found out now, and not by the first client that brings a secret.
      if (role === 'service' || role === 'server') {
        await container.resolve(TOKENS.secrets).seal('', 'check');
        await sealClearSecrets(services).catch((error: unknown) => {
          logger.warn('secrets in clear of an older version could not be sealed; "muster maintenance" tries it again', {
            error,
          });
        });
      }
      await scheduler?.start();
      started = true;
    },
    async stop() {
      const failures: unknown[] = [];
      const attempt = async (step: () => Promise<void> | undefined): Promise<void> => {
        try {
          await step();
        } catch (error) {
          failures.push(error);
        }
      };
      await attempt(() => scheduler?.stop());
      await attempt(() => cron?.stop());
      await attempt(() => heavy?.stop());
      await attempt(() => strangers.settled());
      await attempt(() => audit.close());
      failures.push(...(await stopPlugins(plugins, pluginCalls)));
      if (input.storage === undefined) await attempt(() => storage.stop());
      if (failures.length > 0) throw new AggregateError(failures, 'not everything stopped cleanly');
    },
  };
}

const TOKENS = {
  accounts: Symbol('accounts') as InjectionToken<AccountDirectory>,
  files: Symbol('files') as InjectionToken<FileAccess>,
  refusals: Symbol('refusals') as InjectionToken<RefusalLimit>,
  secrets: Symbol('secrets') as InjectionToken<Services['secrets']>,
  passwords: Symbol('passwords') as InjectionToken<Services['passwords']>,
  users: Symbol('users') as InjectionToken<UserDirectory>,
  auditForwarding: Symbol('auditForwarding') as InjectionToken<AuditForwarding>,
  sessions: Symbol('sessions') as InjectionToken<Sessions>,
  evaluators: Symbol('evaluators') as InjectionToken<EvaluatorCache>,
  providerServices: Symbol('providerServices') as InjectionToken<ProviderServices>,
  inventories: Symbol('inventories') as InjectionToken<InventoryCatalogue>,
  cronGroups: Symbol('cronGroups') as InjectionToken<CronGroupDirectory>,
  cron: Symbol('cron') as InjectionToken<CronEngine>,
  playbooks: Symbol('playbooks') as InjectionToken<PlaybookCatalogue>,
  playbookRunner: Symbol('playbookRunner') as InjectionToken<PlaybookRunner>,
};

/** Made at the first use, once a container. */
function bind<T>(container: DependencyContainer, token: InjectionToken<T>, make: (c: DependencyContainer) => T): void {
  container.register(token, { useFactory: instanceCachingFactory(make) });
}

async function defaultLogger(config: Config, role: ProcessRole): Promise<Logger> {
  if (role === 'command') {
    const { quietLogger } = await import('../adapters/logging/quiet-logger.ts');
    return quietLogger({ write: (line) => process.stderr.write(`${line}\n`), debug: config.LOG_LEVEL === 'debug' });
  }
  const { pinoLogger } = await import('../adapters/logging/pino-logger.ts');
  return pinoLogger({ level: config.LOG_LEVEL });
}

interface OpenedStorage {
  readonly storage: Storage;
  /** True when other threads can open the same storage. */
  readonly shared?: boolean;
  readonly writerPort?: () => MessagePort;
}

/** The only choice of an engine. A further one is one more case here and a folder of its own. */
async function openStorage(
  url: string,
  input: Pick<AppInput, 'workingDirectory' | 'writer' | 'storageMustExist'> & {
    readonly config: Pick<Config, 'MAX_HOST_BYTES'>;
  },
  logger: Logger,
  clock: Clock,
): Promise<OpenedStorage> {
  const scheme = url.slice(0, url.indexOf(':'));
  const maxHostBytes = input.config.MAX_HOST_BYTES;
  switch (scheme) {
    case 'sqlite': {
      const { sqliteStorage } = await import('../adapters/storage/sqlite/storage.ts');
      const path = sqlitePath(url, input.workingDirectory);
      const storage = sqliteStorage({
        path,
        mustExist: input.storageMustExist === true,
        maxHostBytes,
        ...(input.writer === undefined ? {} : { writer: input.writer }),
      })({ logger, clock });
      return { storage, shared: true, writerPort: () => storage.writerPort() };
    }
    case 'mongodb':
    case 'mongodb+srv': {
      const { mongodbStorage } = await import('../adapters/storage/mongodb/storage.ts');
      return { storage: withNamedStart(mongodbStorage({ url, maxHostBytes })({ logger, clock }), url), shared: true };
    }
    case 'memory': {
      const { memoryStorage } = await import('../adapters/storage/memory/storage.ts');
      return { storage: memoryStorage({ maxHostBytes })({ clock }) };
    }
    default:
      throw new AppError(
        'invalid_input',
        `the database URL has an unknown scheme ${scheme}; use sqlite:, mongodb:// or memory:`,
      );
  }
}

async function composePlugins(
  input: AppInput,
  logger: Logger,
): Promise<{ registry: PluginRegistry; plugins: readonly Plugin<never>[] }> {
  const { config } = input;
  const registry = new PluginRegistry();
  if (config.PLUGINS.length > 0) {
    offerPluginApi({
      'muster/plugin-api': new URL('./plugin-api.js', import.meta.url).href,
      'muster/testing': new URL('./testing.js', import.meta.url).href,
    });
  }
  const plugins = await loadPlugins(registry, {
    builtin: BUILTIN_PLUGINS,
    modules: config.PLUGINS,
    settings: config.PLUGIN_OPTIONS,
    directory: input.workingDirectory,
    timeoutSeconds: config.PLUGIN_TIMEOUT_SECONDS,
    logger,
  });
  return { registry, plugins };
}

/** Who runs the jobs of cron groups, as logs and histories name it. */
const CRON_CALLER = 'cron';

/** How jobs call operations: by name, with all rights, through the executor like everybody. */
function operationCaller(executor: () => Executor, newId: () => string): CallOperation {
  return async (name, input, { signal }) => {
    const { operationNamed } = await import('../app/catalogue.ts');
    const operation = operationNamed(name);
    if (operation?.answer !== 'value') throw new AppError('not_found', `there is no operation ${name} for jobs`);
    const caller = localOperator({
      name: CRON_CALLER,
      path: 'cron',
      requestId: newId(),
      entrance: 'cron',
    });
    return executor().value(operation, { kind: 'value', value: input }, caller, { signal }) as Promise<never>;
  };
}

const MAINTENANCE_SECONDS = 60 * 60;
const FORWARD_SECONDS = 5;
const LOOK_AT_AUDIT_SECONDS = 60;

/** What the service does by itself from time to time. */
async function composeScheduler(executor: Executor, services: Services): Promise<Scheduler> {
  const { toadScheduler } = await import('../adapters/scheduler/toad/toad-scheduler.ts');
  const { runMaintenance } = await import('../app/maintenance/operations/run-maintenance.ts');
  const scheduler = toadScheduler({ logger: services.logger });
  scheduler.add({
    name: 'maintenance',
    everySeconds: MAINTENANCE_SECONDS,
    async run(signal) {
      const caller = localOperator({
        name: 'maintenance',
        path: 'maintenance',
        requestId: services.newId(),
        entrance: 'cron',
      });
      await executor.value(runMaintenance, { kind: 'value', value: {} }, caller, { signal });
    },
  });
  scheduler.add({
    name: 'audit chain',
    everySeconds: LOOK_AT_AUDIT_SECONDS,
    atStart: true,
    run: () => services.audit.chain.look(),
  });
  if (services.config.AUDIT_FORWARD.length > 0) {
    const forwarding = services.auditForwarding;
    scheduler.add({ name: 'audit forwarding', everySeconds: FORWARD_SECONDS, run: (signal) => forwarding.run(signal) });
  }
  scheduler.add({
    name: 'cron',
    everySeconds: services.config.CRON_PASS_SECONDS,
    // What a crash cut off goes on at once.
    atStart: true,
    // The runs go on behind the pass, so that a long one does not hold up the groups that are due meanwhile.
    async run() {
      await services.cron.startDue();
    },
  });
  return scheduler;
}

async function startableWorkers(
  input: AppInput,
  logger: Logger,
  writerPort: (() => MessagePort) | undefined,
): Promise<OperationRunner & { stop(): Promise<void> }> {
  const { workerPool } = await import('../adapters/workers/worker-pool.ts');
  const settings: WorkerSettings = {
    config: input.config,
    origins: input.origins,
    workingDirectory: input.workingDirectory,
  };
  return workerPool(
    {
      threads: input.config.WORKER_THREADS,
      previewSeconds: input.config.PREVIEW_TIMEOUT_SECONDS,
      settings,
    },
    { logger, ...(writerPort === undefined ? {} : { writerPort }) },
  );
}

async function auditSinks({ config, workingDirectory }: AppInput): Promise<readonly AuditSink[]> {
  if (config.AUDIT_FORWARD.length === 0) return [];
  const { openSink } = await import('../adapters/audit-sinks/open-sink.ts');
  const options = { directory: workingDirectory, token: config.AUDIT_FORWARD_TOKEN };
  return config.AUDIT_FORWARD.map((address) => openSink(address, options));
}

function instanceKeys(input: AppInput): InstanceKeys {
  const { INSTANCE_KEY } = input.config;
  if (INSTANCE_KEY !== '') return fixedInstanceKey(() => parseInstanceKey(INSTANCE_KEY, 'INSTANCE_KEY'));
  return instanceKeysOfFile(instanceKeyPath(input));
}

function keyRotation(input: AppInput): KeyRotation {
  const path = instanceKeyPath(input);
  if (input.config.INSTANCE_KEY === '') return fileKeyRotation(path);
  return refusedKeyRotation(
    `the instance key comes from INSTANCE_KEY, which this command cannot change: write its value into ${path} (mode 0600), take INSTANCE_KEY away, and run the command again; from then on the key lies in that file`,
  );
}

function instanceKeyPath({ config, workingDirectory }: AppInput): string {
  const path = config.INSTANCE_KEY_FILE === '' ? join(config.DATA_DIR, 'instance.key') : config.INSTANCE_KEY_FILE;
  return isAbsolute(path) ? path : resolve(workingDirectory, path);
}

function sqlitePath(url: string, workingDirectory: string): string {
  return resolve(workingDirectory, url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, ''));
}

/** What of this machine's files the accounts of sources and targets reach. */
function accountFiles(input: AppInput): FileAccess {
  const { config, workingDirectory } = input;
  const { secrets, configuration, dataFolder, plugins, playbookFolder } = machineFiles(input);
  const at = (path: string): string => resolve(workingDirectory, path);
  const imports = join(dataFolder, 'imports');
  const exports = join(dataFolder, 'exports');
  return localFiles({
    workingDirectory,
    sourceFolders: config.FILE_SOURCE_DIRS.length === 0 ? [imports] : config.FILE_SOURCE_DIRS.map(at),
    targetFolders: config.FILE_TARGET_DIRS.length === 0 ? [exports] : config.FILE_TARGET_DIRS.map(at),
    dataFolder,
    openInData: [imports, exports],
    configurationFolders: [configurationFolder(workingDirectory)],
    programs: [...['ansible', 'bin', 'dist', 'node_modules', 'src'].map(packagedFile), playbookFolder, ...plugins],
    secretFiles: [...secrets, ...configuration],
  });
}

function machineFiles(input: AppInput): MachineFiles {
  const { config, workingDirectory } = input;
  const at = (path: string): string => resolve(workingDirectory, path);
  const key = instanceKeyPath(input);
  const isPath = (name: string): boolean => name.startsWith('.') || name.includes('/');
  return {
    secrets: [
      key,
      previousKeyPath(key),
      ...(config.TLS_KEY === '' ? [] : [at(config.TLS_KEY)]),
      ...databaseFiles(config.DATABASE_URL, workingDirectory),
    ],
    dataFolder: at(config.DATA_DIR),
    configuration: CONFIG_FILE_NAMES.map((name) => join(configurationFolder(workingDirectory), name)),
    plugins: config.PLUGINS.filter(isPath).map(at),
    playbookFolder: playbookFolder(input),
  };
}

function configurationFolder(workingDirectory: string): string {
  return resolve(workingDirectory, process.env.SERVICE_CONFIG_DIR ?? '');
}

/** SQLite keeps what is not in the database yet in files beside it. */
function databaseFiles(url: string, workingDirectory: string): readonly string[] {
  if (!url.startsWith('sqlite:')) return [];
  const path = sqlitePath(url, workingDirectory);
  return ['', '-wal', '-shm', '-journal'].map((ending) => path + ending);
}

function playbookFolder({ config, workingDirectory }: AppInput): string {
  return config.PLAYBOOK_DIR === '' ? packagedFile('ansible') : resolve(workingDirectory, config.PLAYBOOK_DIR);
}

/** The manifest is read by few commands, and reading YAML costs all that load it. */
function lazyPlaybookCatalogue(directory: string): PlaybookCatalogue {
  return {
    async list() {
      const { manifestPlaybookCatalogue } = await import('../adapters/playbooks/manifest/manifest-catalogue.ts');
      return manifestPlaybookCatalogue({ directory }).list();
    },
  };
}

/** Its inventory comes from a further process of this very program: with the same Node.js, directory and settings. */
function playbookRunner(input: AppInput): PlaybookRunner {
  const { config, origins, workingDirectory } = input;
  if (config.DATABASE_URL.startsWith('memory:')) {
    return refusedPlaybookRunner(
      'playbooks get their inventory from a process of its own, which cannot read the memory of this one; use another DATABASE_URL',
    );
  }
  const flags = Object.entries(origins).filter(([, origin]) => origin.startsWith('--'));
  const settings = flags.map(([key]) => [`SERVICE_${key}`, String(config[key as ConfigKey])]);
  const isPath = config.ANSIBLE_PLAYBOOK.includes('/');
  return ansiblePlaybookRunner({
    program: isPath ? resolve(workingDirectory, config.ANSIBLE_PLAYBOOK) : config.ANSIBLE_PLAYBOOK,
    directory: playbookFolder(input),
    inventoryScript: packagedFile('ansible/inventory'),
    environment: {
      ...process.env,
      ...Object.fromEntries(settings),
      MUSTER_DIRECTORY: workingDirectory,
      MUSTER_NODE: process.execPath,
    },
    passed: config.PLAYBOOK_ENVIRONMENT,
  });
}

/** A file that comes with the program, such as the sample, by its path below the package. */
export function packagedFile(path: string): string {
  return fileURLToPath(new URL(`../${path}`, new URL('.', import.meta.url)));
}
