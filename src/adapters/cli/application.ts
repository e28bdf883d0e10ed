import type { ConfigKey } from '../../app/kernel/config/schema.ts';
import type { Executor } from '../../app/kernel/executor.ts';
import type { Services } from '../listener/services.ts';

/** Configuration that comes from options of the command line. */
export type ConfigFlags = Readonly<Partial<Record<ConfigKey, unknown>>>;

/** The composed program, as far as commands need it. */
export interface Application {
  readonly services: Services;
  readonly executor: Executor;
  /** The inventory provider that the environment names for this call. */
  readonly inventoryProvider: string | undefined;
  /** The one host that the whole inventory shall consist of, for this call. */
  readonly inventoryHost: string | undefined;
  /** A file with the names, as JSON, of the only hosts that the whole inventory shall have, for this call. */
  readonly inventoryHosts: string | undefined;
  /** The reason the storage or a plugin could not be started, if the command carries on regardless. */
  readonly startFailure?: Error;
  /** Starts no work by itself any more, so that another node does. Idempotent. */
  drain(): void;
  /** Waits for pending writes and closes everything. Idempotent. */
  stop(): Promise<void>;
}

export interface OpenRequest {
  readonly flags: ConfigFlags;
  /** A `service` moves heavy work to threads and has a scheduler, a `server` has the threads alone, a `command` does one thing. */
  readonly role: 'service' | 'server' | 'command';
  /** True when a storage that is not there yet is an error and not made. */
  readonly storageMustExist: boolean;
  /** False when a storage of an older version is an error and not upgraded. */
  readonly storageMayUpgrade: boolean;
  /** Called with the place of a new storage. */
  readonly storageMade: (place: string) => void;
  /**
   * `tried`: the command works, as far as it can, when the storage does not start; `optional`: it takes an empty one then; `none`: it needs
   * the settings only.
   */
  readonly start: 'required' | 'tried' | 'optional' | 'none';
}

export type OpenApplication = (request: OpenRequest) => Promise<Application>;
