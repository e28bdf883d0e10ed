import type { MessagePort } from 'node:worker_threads';
import type { Services } from '../adapters/listener/services.ts';
import { SharedLogLevel } from '../adapters/logging/shared-log-level.ts';
import { timedStorage } from '../adapters/storage/timed-storage.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { WorkerPool } from '../adapters/workers/worker-pool.ts';
import { loadOperation } from '../app/catalogue/load-operation.ts';
import type { ExtensionServices } from '../app/extensions/services.ts';
import type { Config } from '../app/kernel/config/schema.ts';
import { createExecutor, type Executor } from '../app/kernel/executor.ts';
import { idSource } from '../app/kernel/new-id.ts';
import { startPlugins, stopPlugins } from '../app/kernel/plugin-host/lifecycle.ts';
import type { PluginRegistry } from '../app/kernel/plugin-host/registry.ts';
import { SecretReferences } from '../app/kernel/secret-references.ts';
import { CallTimings } from '../app/kernel/timings.ts';
import { sealClearSecrets } from '../app/maintenance/clear-secrets.ts';
import { RunsOfThreads } from '../app/runs/active/runs-of-thread.ts';
import { AppError, type Logger, type OpenedStore } from '../ports/index.ts';
import { lazyHttp } from './http.ts';
import { keptInventories } from './kept-inventories.ts';
import { openedSecrets } from './machine.ts';
import { composePlugins } from './plugins.ts';
import { composeScheduler } from './scheduler.ts';
import { composeServices, cronCaller } from './services.ts';
import type { AppInput, ComposedInput, ProcessRole, WorkerSettings } from './settings.ts';
import { Stores } from './store.ts';

/**
 * The composition root, to be read from top to bottom: settings, storage, plugins, services, executor. The only place that reads
 * the environment and that knows the adapter behind each port.
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

export async function createApp(given: AppInput): Promise<App> {
  const { config, role } = given;
  const logLevel = new SharedLogLevel(given.logLevel ?? config.LOG_LEVEL);
  const logger = given.logger ?? (await defaultLogger(config, role, logLevel));
  const unread = (given.unreadVariables ?? []).filter((name) => role === 'service' || name.startsWith('MUSTER_'));
  if (unread.length > 0 && role !== 'worker')
    logger.warn('variables without the prefix SERVICE_ are not read', { variables: unread.join(', ') });
  const clock = given.clock ?? systemClock;
  const { registry, plugins } = await composePlugins(given, logger);
  const http = lazyHttp(clock);
  const secretReferences = new SecretReferences({
    plugins: registry,
    services: () => ({ logger, http, machine: openedSecrets(input) }),
    clock,
    rememberSeconds: config.SECRET_CACHE_SECONDS,
    timeoutSeconds: config.PLUGIN_TIMEOUT_SECONDS,
    settingsOf: (pluginId) => config.PLUGIN_OPTIONS[pluginId],
  });
  const input: ComposedInput = { ...given, stores: new Stores(registry.stores(), secretReferences) };
  input.stores.require(input);
  const opened: OpenedStore =
    input.storage === undefined
      ? await input.stores.open(config.DATABASE_URL, input, logger, clock)
      : { storage: input.storage };
  const timings = { store: new CallTimings(), tasks: new CallTimings() };
  const storage = role === 'command' ? opened.storage : timedStorage(opened.storage, timings.store);
  const newId = idSource(() => clock.now());
  const kept = role === 'command' ? undefined : keptInventories(storage, logger);
  const { services, made } = composeServices({
    ...{ input, storage, logger, logLevel, clock, timings, kept, newId },
    ...{ http, plugins: registry, secretReferences },
    callOperation: operationCaller(() => executor, registry),
  });

  const heavy =
    (role === 'service' || role === 'server') &&
    input.storage === undefined &&
    input.stores.isShared(config.DATABASE_URL)
      ? await startableWorkers({ ...input, logLevel: logLevel.memory }, logger, {
          registry,
          timings: timings.store,
          lineForThread: opened.lineForThread,
          services,
        })
      : undefined;
  const executor = createExecutor({ services, ...(heavy === undefined ? {} : { heavy }) });
  const scheduler = role === 'service' ? await composeScheduler(services) : undefined;
  const pluginCalls = { timeoutSeconds: config.PLUGIN_TIMEOUT_SECONDS, settings: config.PLUGIN_OPTIONS };
  let started = false;
  let preparing: NodeJS.Timeout | undefined;

  async function prepareHeavy(): Promise<void> {
    const served = await heavy?.prepare();
    if (served === undefined) return;
    const { rehearseInventory } = await import('./rehearse-inventory.ts');
    await rehearseInventory(executor, registry, cronCaller(newId, undefined), served);
  }

  /** Not requested by anyone, so a failure must not stop anything. */
  function notPrepared(error: unknown): void {
    logger.warn('warming up the inventory failed; the first request will do it', { error });
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
        await services.secrets.seal('', 'check');
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
      services.cron.drain();
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
      await attempt(() => made.cron?.stop());
      await attempt(() => heavy?.stop());
      kept?.close();
      await attempt(() => made.anonymousRefusals?.settled());
      await attempt(() => made.audit?.close());
      failures.push(...(await stopPlugins(plugins, pluginCalls)));
      if (input.storage === undefined) await attempt(() => storage.stop());
      if (failures.length > 0) throw new AggregateError(failures, 'not everything stopped cleanly');
    },
  };
}

/** A service has other things to do in its first moments, and one that ends within them needs no thread. */
const PREPARE_AFTER_MILLISECONDS = 1000;

async function defaultLogger(config: Config, role: ProcessRole, level: SharedLogLevel): Promise<Logger> {
  if (role === 'command') {
    const { quietLogger } = await import('../adapters/logging/quiet-logger.ts');
    return quietLogger({ write: (line) => process.stderr.write(`${line}\n`), debug: config.LOG_LEVEL === 'debug' });
  }
  const { pinoLogger } = await import('../adapters/logging/pino-logger.ts');
  return pinoLogger({ level });
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
