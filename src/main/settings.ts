import type { MessagePort } from 'node:worker_threads';
import type { Config, ConfigKey, ConfigOrigins } from '../app/kernel/config/schema.ts';
import type { Clock, Logger, PasswordHasher, PlaybookRunner, Storage } from '../ports/index.ts';
import { loadConfig } from './config/load.ts';
import type { Stores } from './store.ts';

/**
 * A `service` answers many callers, moves heavy work to threads and runs scheduled work on its own; a `server` does the same
 * except for the last, next to a service; a `command` does one thing; a `worker` is a thread for heavy work.
 */
export type ProcessRole = 'service' | 'server' | 'command' | 'worker';

/** The data that a worker thread needs to compose the same application: plain data. */
interface AppSettings {
  readonly config: Config;
  readonly origins: ConfigOrigins;
  /** Relative paths in the configuration start here. */
  readonly workingDirectory: string;
  readonly role: ProcessRole;
  /** Variables that are called as a key, without the prefix. */
  readonly unreadVariables?: readonly string[];
  /** The level of the log that the threads of the process share; absent: a new one, from LOG_LEVEL. */
  readonly logLevel?: SharedArrayBuffer;
}

export type WorkerSettings = Omit<AppSettings, 'role'>;

export interface AppInput extends AppSettings {
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** A storage that is already there (tests); the caller stops it. */
  readonly storage?: Storage;
  /** Runs playbooks instead of ansible-core (tests). */
  readonly playbookRunner?: PlaybookRunner;
  /** The hasher of passwords (tests, which make hundreds of users); absent: one with the usual cost. */
  readonly passwords?: PasswordHasher;
  /** The way to the process's writer, in a worker. */
  readonly writer?: MessagePort;
  /** True for work on what is stored: a storage that is not there yet is an error then and not made. */
  readonly storageMustExist?: boolean;
  /** False for work that only looks: a storage of an older version is an error then and not upgraded. */
  readonly storageMayUpgrade?: boolean;
  /** Told where a storage was made. */
  readonly storageMade?: (place: string) => void;
}

/** The same, once it is known which stores there are. */
export interface ComposedInput extends AppInput {
  readonly stores: Stores;
}

/** Settings of this process: its environment, its working directory, its configuration file and the given flags. */
export async function processSettings(flags: Partial<Record<ConfigKey, unknown>> = {}): Promise<WorkerSettings> {
  const workingDirectory = process.cwd();
  const loaded = await loadConfig({ environment: process.env, workingDirectory, flags });
  return { ...loaded, workingDirectory };
}

/** Choices of the environment outside of the configuration: they belong to one call of a command. */
export function callEnvironment(): {
  readonly inventoryProvider: string | undefined;
  readonly inventoryHost: string | undefined;
  readonly inventoryHosts: string | undefined;
  readonly apiUser: string | undefined;
  readonly apiPassword: string | undefined;
  readonly token: string | undefined;
} {
  return {
    inventoryProvider: process.env.SERVICE_INVENTORY_PROVIDER || undefined,
    inventoryHost: process.env.SERVICE_INVENTORY_HOST || undefined,
    inventoryHosts: process.env.SERVICE_INVENTORY_HOSTS || undefined,
    apiUser: process.env.SERVICE_API_USER || undefined,
    apiPassword: process.env.SERVICE_API_PASSWORD || undefined,
    token: process.env.MUSTER_TOKEN || undefined,
  };
}
