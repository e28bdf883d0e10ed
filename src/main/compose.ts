import 'reflect-metadata';
import type { MessagePort } from 'node:worker_threads';
import {
  type DependencyContainer,
  type InjectionToken,
  instanceCachingFactory,
  container as rootContainer,
} from 'tsyringe';
import type { Services } from '../adapters/listener/services.ts';
import { SharedLogLevel } from '../adapters/logging/shared-log-level.ts';
import { argon2PasswordHasher } from '../adapters/passwords/argon2-password-hasher.ts';
import { processIdentity } from '../adapters/process-identity.ts';
import { aesGcmSecretBox } from '../adapters/secrets/aes-gcm-secret-box.ts';
import { timedStorage } from '../adapters/storage/timed-storage.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { WorkerPool } from '../adapters/workers/worker-pool.ts';
import { AccountDirectory } from '../app/accounts/account-directory.ts';
import { viewedAccounts } from '../app/accounts/account-macros.ts';
import type { Feature } from '../app/catalogue/declared-feature.ts';
import { loadOperation } from '../app/catalogue/load-operation.ts';
import type { ExtensionServices } from '../app/extensions/services.ts';
import { InventoryCatalogue } from '../app/inventory/catalogue.ts';
import { providerServices } from '../app/inventory/provider-services.ts';
import { renderMode } from '../app/inventory/render-mode.ts';
import { AnonymousRefusals } from '../app/journal/anonymous-refusals.ts';
import { AuditTrail } from '../app/journal/audit/audit-trail.ts';
import { AuditForwarding } from '../app/journal/audit/forwarding.ts';
import { type Caller, hostScopeOf, localOperator } from '../app/kernel/caller.ts';
import type { Config } from '../app/kernel/config/schema.ts';
import { createExecutor, type Executor } from '../app/kernel/executor.ts';
import { idSource } from '../app/kernel/new-id.ts';
import { startPlugins, stopPlugins } from '../app/kernel/plugin-host/lifecycle.ts';
import type { PluginRegistry } from '../app/kernel/plugin-host/registry.ts';
import { SecretReferences } from '../app/kernel/secret-references.ts';
import { CallTimings } from '../app/kernel/timings.ts';
import { needsSecondFactor } from '../app/logins/second-factor/decisions/required.ts';
import { sealClearSecrets } from '../app/maintenance/clear-secrets.ts';
import { ClockWatch } from '../app/maintenance/clock-watch.ts';
import { DamageWatch } from '../app/maintenance/damage-watch.ts';
import { UpkeepWatch } from '../app/maintenance/upkeep-watch.ts';
import { WriteWatch } from '../app/maintenance/write-watch.ts';
import { EvaluatorCache } from '../app/rules/evaluators.ts';
import { RunsOfThreads } from '../app/runs/active/runs-of-thread.ts';
import { CronEngine } from '../app/runs/cron/cron-engine.ts';
import { CronGroupDirectory } from '../app/runs/cron/group-directory.ts';
import { jobInterval } from '../app/runs/cron/job-interval.ts';
import { groupsWithOneSecret } from '../app/runs/cron/webhook-secrets.ts';
import { RunFigures } from '../app/runs/figures/run-figures.ts';
import { RefusalLimit } from '../app/users/refusal-limit.ts';
import { Sessions } from '../app/users/sessions.ts';
import { noteWrongSecret } from '../app/users/tries.ts';
import { UserDirectory } from '../app/users/user-directory.ts';
import { userDocuments } from '../app/users/user-documents.ts';
import {
  AppError,
  type AuditSink,
  type FileAccess,
  type Logger,
  type PlaybookCatalogue,
  type PlaybookRunner,
  type ProcessIdentity,
  type ProviderServices,
} from '../ports/index.ts';
import type { OpenedStore } from '../ports/storage/store-driver.ts';
import { FEATURES } from './features.ts';
import { lazyHttp } from './http.ts';
import { keptInventories } from './kept-inventories.ts';
import { accountFiles, accountPrograms, instanceKeys, keyRotation, machineFiles, openedSecrets } from './machine.ts';
import { lazyPlaybookCatalogue, playbookFolder, playbookRunner } from './playbooks.ts';
import { composePlugins } from './plugins.ts';
import { composeScheduler } from './scheduler.ts';
import type { AppInput, ProcessRole, WorkerSettings } from './settings.ts';
import { isShared, openStorage, requireStore } from './store.ts';
import { WITHOUT_FEATURES } from './without-features.ts';

/**
 * The composition root, to be read from top to bottom: settings, storage, plugins, services, executor. The only place
 * that reads the environment and that knows which adapter stands behind a port.
 */

export interface App {
  readonly services: Services;
  readonly executor: Executor;
  /** Opens the storage and starts plugins. Idempotent. */
  start(): Promise<void>;
  /** Starts no work by itself any more, so that another node does. `stop` must follow. Idempotent. */
  drain(): void;
  /** Stops everything in reverse order. Idempotent, and safe after a failed start. */
  stop(): Promise<void>;
}

export async function createApp(input: AppInput): Promise<App> {
  const { config, role } = input;
  requireStore(input);
  const logLevel = new SharedLogLevel(input.logLevel ?? config.LOG_LEVEL);
  const logger = input.logger ?? (await defaultLogger(config, role, logLevel));
  const unread = (input.unreadVariables ?? []).filter((name) => role === 'service' || name.startsWith('MUSTER_'));
  if (unread.length > 0 && role !== 'worker')
    logger.warn('variables without the prefix SERVICE_ are not read', { variables: unread.join(', ') });
  const clock = input.clock ?? systemClock;
  const opened: OpenedStore =
    input.storage === undefined
      ? await openStorage(config.DATABASE_URL, input, logger, clock)
      : { storage: input.storage };
  // A clock that the caller sets is its own measure of what elapses.
  const elapsed = input.clock === undefined ? () => performance.now() : () => clock.now().getTime();
  const clockWatch = new ClockWatch({ clock, logger, elapsed });
  const timings = { store: new CallTimings(), tasks: new CallTimings() };
  const storage = role === 'command' ? opened.storage : timedStorage(opened.storage, timings.store);
  const { registry, plugins } = await composePlugins(input, logger);

  const http = lazyHttp(clock);
  const container = rootContainer.createChildContainer();
  bind(
    container,
    TOKENS.secretReferences,
    () =>
      new SecretReferences({
        plugins: registry,
        services: () => ({ logger, http, machine: openedSecrets(input) }),
        clock,
        rememberSeconds: config.SECRET_CACHE_SECONDS,
        timeoutSeconds: config.PLUGIN_TIMEOUT_SECONDS,
        settingsOf: (pluginId) => config.PLUGIN_OPTIONS[pluginId],
      }),
  );
  bind(
    container,
    TOKENS.accounts,
    (c) =>
      new AccountDirectory({
        storage,
        secrets: c.resolve(TOKENS.secrets),
        references: c.resolve(TOKENS.secretReferences),
      }),
  );
  bind(container, TOKENS.secrets, () =>
    aesGcmSecretBox({ keys: instanceKeys(input, mayHaveNoKey), witnesses: () => witnesses() }),
  );
  /** Asked when the file of the instance key is not there. */
  async function mayHaveNoKey(): Promise<boolean> {
    const { holdsSecrets } = await import('../app/maintenance/sealed-secrets.ts');
    return !(await holdsSecrets(storage, container.resolve(TOKENS.secrets)));
  }
  async function* witnesses(): AsyncGenerator<string> {
    const { sealedTexts } = await import('../app/maintenance/sealed-secrets.ts');
    yield* sealedTexts(storage, container.resolve(TOKENS.secrets));
  }
  bind(container, TOKENS.files, (c) => accountFiles(input, c.resolve(TOKENS.process)));
  bind(container, TOKENS.refusals, () => {
    const noteWrong = (user: string) => noteWrongSecret({ storage, clock }, user);
    return new RefusalLimit({ limit: config.RATE_LIMIT_401_PER_MINUTE, logger, noteWrong });
  });
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
        vouchedFor: (user) => services.signIns.vouchedFor(user),
        rememberSeconds: config.CREDENTIAL_CACHE_SECONDS,
        needsSecondFactor: (user) => needsSecondFactor(user, config.REQUIRE_SECOND_FACTOR),
        allowsPasswordAlone: config.ALLOW_API_PASSWORD_ALONE,
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
        stillVouched: async (session, user, request) =>
          (await services.signIns.stillVouched(session, user)) && services.proxyLogins.isOf(session, request),
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
        viewAccounts: (view, onSecret, shown) =>
          viewedAccounts({ accounts: c.resolve(TOKENS.accounts), logger, onSecret }, view, shown),
        secretSeconds: config.SECRET_CACHE_SECONDS,
        clock,
        logger,
        served: { names: config.INVENTORY_VARIABLE_NAMES, ansibleLabels: config.INVENTORY_ANSIBLE_LABELS },
        textBooleans: config.INVENTORY_TEXT_BOOLEANS,
        lifeCycle: config.CMDB_MODE,
        mergedAttributes: config.INVENTORY_MERGE_ATTRIBUTES,
      }),
  );
  bind<ProviderServices>(container, TOKENS.providerServices, (c) =>
    providerServices({
      storage,
      plugins: registry,
      evaluators: c.resolve(TOKENS.evaluators),
      accounts: c.resolve(TOKENS.accounts),
      secrets: () => c.resolve(TOKENS.secrets),
      http,
      logger,
    }),
  );
  const kept = role === 'command' ? undefined : keptInventories(storage, logger);
  bind(
    container,
    TOKENS.inventories,
    (c) =>
      new InventoryCatalogue({
        plugins: registry,
        services: c.resolve(TOKENS.providerServices),
        timeoutSeconds: config.PLUGIN_TIMEOUT_SECONDS,
        ...(kept === undefined ? {} : { kept }),
        logger,
      }),
  );
  bind(
    container,
    TOKENS.cronGroups,
    (c) => new CronGroupDirectory({ storage, accounts: c.resolve(TOKENS.accounts), plugins: registry }),
  );
  const startedAt = clock.now();
  bind(
    container,
    TOKENS.figures,
    (c) =>
      new RunFigures({
        storage,
        accounts: c.resolve(TOKENS.accounts),
        groups: c.resolve(TOKENS.cronGroups),
        clock,
        logger,
        since: startedAt,
      }),
  );
  const newId = idSource(() => clock.now());
  const callOperation = operationCaller(() => executor, registry);
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
      process: c.resolve(TOKENS.process),
      timeZone: config.TIMEZONE,
      actor: { kind: 'system', name: CRON_CALLER },
      callOperation: (name, input, options) =>
        callOperation(name, input, cronCaller(newId, options.causedBy), {
          ...options,
          effects: ['read', 'write', 'destructive'],
        }),
    });
    return cron;
  });

  bind(container, TOKENS.process, () => processIdentity());
  bind(container, TOKENS.playbooks, () => lazyPlaybookCatalogue(playbookFolder(input)));
  bind(container, TOKENS.playbookRunner, () => input.playbookRunner ?? playbookRunner(input));

  const audit = new AuditTrail({
    store: storage.audit,
    secrets: () => container.resolve(TOKENS.secrets),
    secretsOfNewKey: () => aesGcmSecretBox({ keys: instanceKeys(input, mayHaveNoKey) }),
    clock,
    logger,
    newId,
  });
  const anonymousRefusals = new AnonymousRefusals({ storage, audit, clock, logger, newId });
  const ownFiles = machineFiles(input);
  const services: Services = {
    ...WITHOUT_FEATURES,
    features: FEATURES,
    userDocuments: userDocuments({
      minPasswordLength: config.PASSWORD_MIN_LENGTH,
      audit,
      sessions: () => container.resolve(TOKENS.sessions),
      clock,
      logger,
      newId,
    }),
    accountRemoval: {
      remove: async (name, caller) => {
        const { removeAccount } = await import('../app/accounts/remove-account.ts');
        await removeAccount(services, caller, { name, forget: false });
      },
    },
    groupsWithOneSecret: () => groupsWithOneSecret(services),
    backupInterval: () => jobInterval(services, 'Backup'),
    config,
    configOrigins: input.origins,
    storage,
    audit,
    clock,
    logger,
    logLevel,
    get refusals() {
      return container.resolve(TOKENS.refusals);
    },
    anonymousRefusals,
    callOperation,
    plugins: registry,
    newId,
    // The writer of this process belongs to its own storage.
    openStorage: async (url) =>
      (await openStorage(url, { config, workingDirectory: input.workingDirectory }, logger, clock)).storage,
    get keyRotation() {
      return keyRotation(input, mayHaveNoKey);
    },
    machineFiles: ownFiles,
    readCertificate: async () =>
      (await import('../adapters/listener/listener.ts')).readTls(config, input.workingDirectory),
    clockWatch,
    upkeepWatch: new UpkeepWatch(() => services),
    writeWatch: new WriteWatch({ storage, clock, logger, database: ownFiles.database }),
    damageWatch: new DamageWatch(storage, logger),
    http,
    syslog: async (line) => (await import('../adapters/audit-sinks/syslog.ts')).sendLine(line),
    inventoryGroups: {
      memberships: (provider, host, { caller, signal }) =>
        services.inventories.memberships(
          { provider, request: { scope: hostScopeOf(caller), signal }, render: renderMode(services, caller) },
          host,
        ),
    },
    openScratch: async () => (await import('../adapters/scratch/sqlite-scratch.ts')).sqliteScratch(),
    get files() {
      return container.resolve(TOKENS.files);
    },
    get programs() {
      return accountPrograms(input);
    },
    get secrets() {
      return container.resolve(TOKENS.secrets);
    },
    get secretReferences() {
      return container.resolve(TOKENS.secretReferences);
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
    get figures() {
      return container.resolve(TOKENS.figures);
    },
    timings,
    get process() {
      return container.resolve(TOKENS.process);
    },
    get playbooks() {
      return container.resolve(TOKENS.playbooks);
    },
    get playbookRunner() {
      return container.resolve(TOKENS.playbookRunner);
    },
  };

  for (const feature of FEATURES) addServices(services, feature, container.createChildContainer());

  const heavy =
    (role === 'service' || role === 'server') && input.storage === undefined && isShared(config.DATABASE_URL)
      ? await startableWorkers({ ...input, logLevel: logLevel.memory }, logger, {
          registry,
          timings: timings.store,
          lineForThread: opened.lineForThread,
          services,
        })
      : undefined;
  const executor = createExecutor({ services, ...(heavy === undefined ? {} : { heavy }) });
  const scheduler = role === 'service' ? await composeScheduler(executor, services) : undefined;
  const pluginCalls = { timeoutSeconds: config.PLUGIN_TIMEOUT_SECONDS, settings: config.PLUGIN_OPTIONS };
  let started = false;
  let preparing: NodeJS.Timeout | undefined;

  async function prepareHeavy(): Promise<void> {
    const served = await heavy?.prepare();
    if (served === undefined) return;
    const { rehearseInventory } = await import('./rehearse-inventory.ts');
    await rehearseInventory(executor, registry, cronCaller(newId, undefined), served);
  }

  /** Nobody asked for it, so nothing ends of it. */
  function notPrepared(error: unknown): void {
    logger.warn('the way to an inventory could not be prepared; the first who asks goes it', { error });
  }

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
          logger.warn(
            'clear-text secrets of an older version could not be encrypted; "muster maintenance" tries again',
            {
              error,
            },
          );
        });
      }
      await scheduler?.start();
      started = true;
      preparing = setTimeout(() => void prepareHeavy().catch(notPrepared), PREPARE_AFTER_MILLISECONDS).unref();
    },
    drain() {
      scheduler?.drain();
      container.resolve(TOKENS.cron).drain();
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
      clearTimeout(preparing);
      await attempt(() => scheduler?.stop());
      await attempt(() => cron?.stop());
      await attempt(() => heavy?.stop());
      kept?.close();
      await attempt(() => anonymousRefusals.settled());
      await attempt(() => audit.close());
      failures.push(...(await stopPlugins(plugins, pluginCalls)));
      if (input.storage === undefined) await attempt(() => storage.stop());
      if (failures.length > 0) throw new AggregateError(failures, 'not everything stopped cleanly');
    },
  };
}

/** A service has other things to do in its first moments, and one that ends within them needs no thread. */
const PREPARE_AFTER_MILLISECONDS = 1000;

const TOKENS = {
  process: Symbol('process') as InjectionToken<ProcessIdentity>,
  accounts: Symbol('accounts') as InjectionToken<AccountDirectory>,
  files: Symbol('files') as InjectionToken<FileAccess>,
  refusals: Symbol('refusals') as InjectionToken<RefusalLimit>,
  secrets: Symbol('secrets') as InjectionToken<Services['secrets']>,
  secretReferences: Symbol('secretReferences') as InjectionToken<SecretReferences>,
  passwords: Symbol('passwords') as InjectionToken<Services['passwords']>,
  users: Symbol('users') as InjectionToken<UserDirectory>,
  auditForwarding: Symbol('auditForwarding') as InjectionToken<AuditForwarding>,
  sessions: Symbol('sessions') as InjectionToken<Sessions>,
  evaluators: Symbol('evaluators') as InjectionToken<EvaluatorCache>,
  providerServices: Symbol('providerServices') as InjectionToken<ProviderServices>,
  inventories: Symbol('inventories') as InjectionToken<InventoryCatalogue>,
  cronGroups: Symbol('cronGroups') as InjectionToken<CronGroupDirectory>,
  cron: Symbol('cron') as InjectionToken<CronEngine>,
  figures: Symbol('figures') as InjectionToken<RunFigures>,
  playbooks: Symbol('playbooks') as InjectionToken<PlaybookCatalogue>,
  playbookRunner: Symbol('playbookRunner') as InjectionToken<PlaybookRunner>,
};

/** Made at the first use, once a container. */
function bind<T>(container: DependencyContainer, token: InjectionToken<T>, make: (c: DependencyContainer) => T): void {
  container.register(token, { useFactory: instanceCachingFactory(make) });
}

/** Each feature has a container of its own. */
function addServices(services: Services, { services: makers }: Feature, own: DependencyContainer): void {
  for (const [name, make] of Object.entries(makers?.(() => services) ?? {})) {
    const token: InjectionToken<unknown> = Symbol(name);
    bind(own, token, make);
    Object.defineProperty(services, name, { get: () => own.resolve(token) });
  }
}

async function defaultLogger(config: Config, role: ProcessRole, level: SharedLogLevel): Promise<Logger> {
  if (role === 'command') {
    const { quietLogger } = await import('../adapters/logging/quiet-logger.ts');
    return quietLogger({ write: (line) => process.stderr.write(`${line}\n`), debug: config.LOG_LEVEL === 'debug' });
  }
  const { pinoLogger } = await import('../adapters/logging/pino-logger.ts');
  return pinoLogger({ level });
}

/** Who runs the jobs of cron groups, as logs and histories name it. */
const CRON_CALLER = 'cron';

/** Jobs call operations with all rights. */
function cronCaller(newId: () => string, causedBy: string | undefined): Caller {
  const caller = localOperator({ name: CRON_CALLER, path: 'cron', requestId: newId(), entrance: 'cron' });
  return causedBy === undefined ? caller : { ...caller, causedBy };
}

/** How plugins call operations: by name, through the executor like everybody. */
function operationCaller(executor: () => Executor, registry: PluginRegistry): ExtensionServices['callOperation'] {
  return async (name, input, caller, { signal, effects }) => {
    const operation = await loadOperation(registry, name);
    if (operation?.answer !== 'value') throw new AppError('not_found', `there is no operation ${name} for plugins`);
    if (!effects.includes(operation.effect)) {
      throw new AppError('forbidden', `${name} does more than ${effects.at(-1)}, which is all that is declared`);
    }
    return executor().value(operation, { kind: 'value', value: input }, caller, { signal }) as Promise<never>;
  };
}

async function startableWorkers(
  input: AppInput,
  logger: Logger,
  {
    registry,
    timings,
    lineForThread,
    services,
  }: {
    readonly services: Services;
    readonly registry: PluginRegistry;
    readonly timings: CallTimings;
    readonly lineForThread: (() => MessagePort) | undefined;
  },
): Promise<WorkerPool> {
  const { workerPool } = await import('../adapters/workers/worker-pool.ts');
  const heldPlugins = input.config.PLUGINS.length === 0 ? undefined : await pluginsThatHold(input, logger, registry);
  const settings: WorkerSettings = {
    config: input.config,
    origins: input.origins,
    workingDirectory: input.workingDirectory,
    ...(input.logLevel === undefined ? {} : { logLevel: input.logLevel }),
  };
  return workerPool(
    {
      threads: input.config.WORKER_THREADS,
      previewSeconds: input.config.PREVIEW_TIMEOUT_SECONDS,
      settings,
    },
    {
      logger,
      timed: (calls) => timings.add(calls),
      ...(lineForThread === undefined ? {} : { writerPort: lineForThread }),
      ...(heldPlugins === undefined ? {} : { heldPlugins }),
      runs: new RunsOfThreads(services),
    },
  );
}

async function pluginsThatHold({ config }: AppInput, logger: Logger, registry: PluginRegistry) {
  const { HeldPlugins } = await import('../adapters/workers/held-plugins.ts');
  return new HeldPlugins(config.PLUGIN_TIMEOUT_SECONDS, ({ pluginId, message }) => {
    logger.error('plugin held a worker thread and is left out', { plugin: pluginId, reason: message });
    registry.fail(pluginId, message);
  });
}

async function auditSinks({ config, workingDirectory }: AppInput): Promise<readonly AuditSink[]> {
  if (config.AUDIT_FORWARD.length === 0) return [];
  const { openSink } = await import('../adapters/audit-sinks/open-sink.ts');
  const options = { directory: workingDirectory, token: config.AUDIT_FORWARD_TOKEN };
  return config.AUDIT_FORWARD.map((address) => openSink(address, options));
}
