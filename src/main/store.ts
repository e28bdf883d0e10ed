import { setTimeout as sleep } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { STORE_DRIVERS } from '../adapters/storage/drivers.ts';
import type { Config, ConfigOrigins } from '../app/kernel/config/schema.ts';
import type { SecretReferences } from '../app/kernel/secret-references.ts';
import { withNamedStart } from '../app/kernel/unreachable-storage.ts';
import { messageOf } from '../kit/worded.ts';
import { AppError, type Clock, type Logger, type OpenedStore, type StoreDriver } from '../ports/index.ts';

interface StorePlace {
  readonly config: Pick<
    Config,
    'MAX_HOST_BYTES' | 'DATABASE_URL' | 'DATABASE_PASSWORD' | 'DATABASE_PASSWORD_FROM' | 'DATABASE_REPLICA_URL'
  >;
  readonly origins?: ConfigOrigins;
  readonly workingDirectory: string;
  readonly writer?: MessagePort;
  readonly storageMustExist?: boolean;
  readonly storageMayUpgrade?: boolean;
  readonly storageMade?: (place: string) => void;
}

/** How long a new connection waits for a source of secrets that answered before: shorter than drivers wait for a connection. */
const SOURCE_TIMEOUT_MS = 2000;

/** The stores of the program and of plugins. */
export class Stores {
  readonly #drivers: readonly StoreDriver[];
  readonly #secrets: Pick<SecretReferences, 'problem' | 'read'>;

  constructor(ofPlugins: readonly StoreDriver[], secrets: Pick<SecretReferences, 'problem' | 'read'>) {
    this.#drivers = [...STORE_DRIVERS, ...ofPlugins];
    this.#secrets = secrets;
  }

  /** Opens the store of an address, not started. `invalid_input` when no store has addresses like it. */
  async open(address: string, place: StorePlace, logger: Logger, clock: Clock): Promise<OpenedStore> {
    // A store other than the configured one, as in a migration, has a password of its own.
    const password = address === place.config.DATABASE_URL ? this.#password(place.config, logger) : undefined;
    const replica = address === place.config.DATABASE_URL ? replicaOf(place) : undefined;
    const settings = {
      workingDirectory: place.workingDirectory,
      maxHostBytes: place.config.MAX_HOST_BYTES,
      mustExist: place.storageMustExist === true,
      mayUpgrade: place.storageMayUpgrade !== false,
      ...(place.storageMade === undefined ? {} : { made: place.storageMade }),
      ...(place.writer === undefined ? {} : { line: place.writer }),
      ...(password === undefined ? {} : { password }),
      ...(replica === undefined ? {} : { replica }),
    };
    const opened = await this.#driver(address).open(address, settings, { logger, clock });
    // A store of files says itself which one cannot be opened.
    if (!this.hasOtherNodes(address, place.workingDirectory)) return opened;
    const storage = withNamedStart(opened.storage, address);
    const start = async (): Promise<void> => {
      // Before a driver waits for it, so that a source that does not answer is not taken for a database that does not.
      await password?.();
      await storage.start();
    };
    return { ...opened, storage: { ...storage, start } };
  }

  /** Throws when the configuration names no store, replica or secret as its password that there can be, and says where that comes from. */
  require({ config, origins }: { readonly config: Config; readonly origins: ConfigOrigins }): void {
    const bad = (key: 'DATABASE_URL' | 'DATABASE_PASSWORD_FROM' | 'DATABASE_REPLICA_URL', problem: string): AppError =>
      new AppError('invalid_input', `configuration: bad value of ${key} in ${origins[key]}: ${problem}`);
    const store = this.#find(config.DATABASE_URL);
    if (store === undefined) throw bad('DATABASE_URL', `must begin with ${this.#addresses()}`);
    const replica = replicaOf({ config, origins });
    if (replica !== undefined && store.hasReplicas !== true)
      throw bad('DATABASE_REPLICA_URL', `a ${store.addresses} store is not read from replicas; remove it`);
    if (replica !== undefined && this.#find(replica) !== store)
      throw bad('DATABASE_REPLICA_URL', `must begin with ${store.addresses}`);
    if (config.DATABASE_PASSWORD_FROM === '') return;
    if (config.DATABASE_PASSWORD !== '')
      throw bad(
        'DATABASE_PASSWORD_FROM',
        `DATABASE_PASSWORD in ${origins.DATABASE_PASSWORD} is set too; set one of them`,
      );
    const problem = this.#secrets.problem(config.DATABASE_PASSWORD_FROM);
    if (problem !== undefined) throw bad('DATABASE_PASSWORD_FROM', messageOf(problem).message);
  }

  /** Files of this machine in which the store of the address keeps what is stored. */
  files(address: string, workingDirectory: string): readonly string[] {
    return this.#driver(address).files(address, workingDirectory);
  }

  /** Copies of it that the store of the address keeps on this machine. */
  copies(address: string, workingDirectory: string): readonly string[] {
    return this.#driver(address).copies?.(address, workingDirectory) ?? [];
  }

  /** Whether the store of the address is a server, which several nodes may have at once. */
  hasOtherNodes(address: string, workingDirectory: string): boolean {
    return this.isShared(address) && this.files(address, workingDirectory).length === 0;
  }

  /** Whether further threads and processes can open the store of the address. */
  isShared(address: string): boolean {
    return this.#driver(address).isShared;
  }

  /** The password of the configured store, as its source has it at the moment. */
  #password(
    { DATABASE_PASSWORD, DATABASE_PASSWORD_FROM: reference }: StorePlace['config'],
    logger: Logger,
  ): (() => Promise<string>) | undefined {
    if (reference === '') return DATABASE_PASSWORD === '' ? undefined : async () => DATABASE_PASSWORD;
    let last: string | undefined;
    const read = async (): Promise<string> => {
      try {
        last = await this.#secrets.read(reference);
      } catch (error) {
        if (last === undefined) throw unreadable(error);
        logger.warn('DATABASE_PASSWORD_FROM cannot be read; the password that it was before is tried', { error });
      }
      return last;
    };
    // A running service gets by without the source: the database itself refuses a password that counts no more.
    return () => (last === undefined ? read() : Promise.race([read(), sleep(SOURCE_TIMEOUT_MS, last, { ref: false })]));
  }

  #driver(address: string): StoreDriver {
    const driver = this.#find(address);
    if (driver !== undefined) return driver;
    throw new AppError(
      'invalid_input',
      `the database URL has an unknown scheme ${schemeOf(address)}; use ${this.#addresses()}`,
    );
  }

  #find(address: string): StoreDriver | undefined {
    return this.#drivers.find(({ schemes }) => schemes.includes(schemeOf(address)));
  }

  #addresses(): string {
    const known = this.#drivers.map(({ addresses }) => addresses);
    return `${known.slice(0, -1).join(', ')} or ${known.at(-1)}`;
  }
}

function unreadable(cause: unknown): AppError {
  const reason = (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '');
  const message = `DATABASE_PASSWORD_FROM: ${reason}. See that its source answers and has it, or set DATABASE_PASSWORD instead.`;
  return new AppError('failed', message, { cause });
}

/** A database that an option of a command names instead of the configured one has no replica. */
function replicaOf({ config, origins }: Pick<StorePlace, 'config' | 'origins'>): string | undefined {
  const { DATABASE_REPLICA_URL: replica } = config;
  return replica === '' || origins === undefined || origins.DATABASE_URL.startsWith('--') ? undefined : replica;
}

function schemeOf(address: string): string {
  return address.slice(0, address.indexOf(':'));
}
