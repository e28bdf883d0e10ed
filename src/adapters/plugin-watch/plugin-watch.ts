import { existsSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { isMainThread, Worker } from 'node:worker_threads';
import { pathsOf } from '../../app/kernel/plugin-host/error-place.ts';
import { observeCalls } from '../../app/kernel/plugin-host/guard.ts';
import type { LoadedModule } from '../../app/kernel/plugin-host/load.ts';
import { observeTurns } from '../../app/kernel/turns.ts';
import type { Logger } from '../../ports/index.ts';
import { endProcess, keepProcess } from './end-process.ts';
import { Pulse, TICK_MILLISECONDS } from './pulse.ts';

interface PluginWatchOptions {
  /** Ids of plugins that come with the program, which need no watching. */
  readonly builtin: ReadonlySet<string>;
  readonly timeoutSeconds: number;
  readonly logger: Logger;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Keeps third-party plugins from ending or holding this process, as far as the hosting program can: they cannot call
 * `process.exit`, their stray errors are logged under their name, and one that never returns control is detected from outside.
 */
class PluginWatch {
  #pulse: Pulse | undefined;
  #isInstalled = false;
  readonly #modules: LoadedModule[] = [];

  /**
   * Called at the start of a program or thread; without it, nothing here changes the process (tests). `pulse`: of the thread that
   * watches this one.
   */
  install(pulse = new Pulse()): void {
    this.#pulse = pulse;
  }

  /** Before plugins of others are loaded. */
  begin({ builtin, timeoutSeconds, logger }: PluginWatchOptions): void {
    const pulse = this.#pulse;
    if (pulse === undefined || this.#isInstalled) return;
    this.#isInstalled = true;
    keepProcess();
    observeCalls((calls) => pulse.report(calls.filter(({ pluginId }) => !builtin.has(pluginId))));
    observeTurns((call) => pulse.turn(call));
    setInterval(() => pulse.heartbeat(), TICK_MILLISECONDS / 2).unref();
    process.on('unhandledRejection', (reason) => this.#stray(reason, logger));
    process.on('uncaughtException', (error) => this.#stray(error, logger));
    if (isMainThread) watchMainThread(pulse, timeoutSeconds);
  }

  /** Ctrl-C ends the program while a module is loaded, which may never end and in which no handler is called. */
  readonly whileLoading = async <T>(module: LoadedModule, load: () => Promise<T>): Promise<T> => {
    this.#modules.push(module);
    const handlers = SIGNALS.map((signal) => [signal, process.listeners(signal)] as const);
    for (const signal of SIGNALS) process.removeAllListeners(signal);
    try {
      return await load();
    } finally {
      for (const [signal, listeners] of handlers) {
        for (const listener of listeners) process.on(signal, listener);
      }
    }
  };

  /**
   * Handles an error that no code awaited. One of a plugin stops nothing else; one of the program ends it, as it would without
   * this.
   */
  #stray(error: unknown, logger: Logger): void {
    const name = this.#moduleOf(error);
    const stack = error instanceof Error ? error.stack : undefined;
    const fields = { reason: error instanceof Error ? error.message : String(error), ...(stack && { stack }) };
    if (name !== undefined) {
      logger.error('plugin failed outside of any call; the program continues', { plugin: name, ...fields });
      return;
    }
    logger.error('unexpected fault; the program ends', fields);
    endProcess(1);
  }

  /** Returns several names if the plugin cannot be determined; `undefined` for an error of the program. */
  #moduleOf(error: unknown): string | undefined {
    const paths = pathsOf(error);
    const own = this.#modules.find(({ path }) => paths.includes(path));
    if (own !== undefined) return own.name;
    // The program only throws errors, and each of them has a stack.
    const beside = paths.length === 0 ? this.#modules : this.#modules.filter((module) => isBeside(paths, module));
    return beside.length === 0 ? undefined : beside.map(({ name }) => name).join(' or ');
  }
}

/** Whether one of the files is in the folder of the module, and not in a package that is installed there. */
function isBeside(paths: readonly string[], module: LoadedModule): boolean {
  const folder = `${dirname(module.path)}${sep}`;
  return paths.some((path) => path.startsWith(folder) && !path.slice(folder.length).includes('node_modules'));
}

function watchMainThread(pulse: Pulse, timeoutSeconds: number): void {
  const folder = import.meta.url.endsWith('.ts') ? '../../../dist' : '.';
  const entry = new URL(`${folder}/main-watch.js`, import.meta.url);
  if (!existsSync(entry)) return;
  const watching = new Worker(entry, { workerData: { memory: pulse.memory, timeoutSeconds }, name: 'plugin-watch' });
  watching.unref();
}

/** The watch of this thread. */
export const pluginWatch = new PluginWatch();
