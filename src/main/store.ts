import type { MessagePort } from 'node:worker_threads';
import { STORE_DRIVERS } from '../adapters/storage/drivers.ts';
import type { Config, ConfigOrigins } from '../app/kernel/config/schema.ts';
import { withNamedStart } from '../app/kernel/unreachable-storage.ts';
import { AppError, type Clock, type Logger, type OpenedStore, type StoreDriver } from '../ports/index.ts';

interface StorePlace {
  readonly config: Pick<Config, 'MAX_HOST_BYTES' | 'DATABASE_URL' | 'DATABASE_PASSWORD'>;
  readonly workingDirectory: string;
  readonly writer?: MessagePort;
  readonly storageMustExist?: boolean;
  readonly storageMayUpgrade?: boolean;
  readonly storageMade?: (place: string) => void;
}

/** The stores of the program and of plugins. */
export class Stores {
  readonly #drivers: readonly StoreDriver[];

  constructor(ofPlugins: readonly StoreDriver[]) {
    this.#drivers = [...STORE_DRIVERS, ...ofPlugins];
  }

  /** Opens the store of an address, not started. `invalid_input` when no store has addresses like it. */
  async open(address: string, place: StorePlace, logger: Logger, clock: Clock): Promise<OpenedStore> {
    const { DATABASE_URL, DATABASE_PASSWORD } = place.config;
    const settings = {
      workingDirectory: place.workingDirectory,
      maxHostBytes: place.config.MAX_HOST_BYTES,
      mustExist: place.storageMustExist === true,
      mayUpgrade: place.storageMayUpgrade !== false,
      ...(place.storageMade === undefined ? {} : { made: place.storageMade }),
      ...(place.writer === undefined ? {} : { line: place.writer }),
      // A store other than the configured one, as in a migration, has a password of its own.
      ...(address === DATABASE_URL && DATABASE_PASSWORD !== '' ? { password: DATABASE_PASSWORD } : {}),
    };
    const opened = await this.#driver(address).open(address, settings, { logger, clock });
    // A store of files says itself which one cannot be opened.
    return this.hasOtherNodes(address, place.workingDirectory)
      ? { ...opened, storage: withNamedStart(opened.storage, address) }
      : opened;
  }

  /** Throws when no store has addresses like that of the configuration, and says where it comes from. */
  require({ config, origins }: { readonly config: Config; readonly origins: ConfigOrigins }): void {
    if (this.#find(config.DATABASE_URL) !== undefined) return;
    const message = `bad value of DATABASE_URL in ${origins.DATABASE_URL}: must begin with ${this.#addresses()}`;
    throw new AppError('invalid_input', `configuration: ${message}`);
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

function schemeOf(address: string): string {
  return address.slice(0, address.indexOf(':'));
}
