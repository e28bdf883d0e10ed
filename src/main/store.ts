import type { MessagePort } from 'node:worker_threads';
import { STORE_DRIVERS } from '../adapters/storage/drivers.ts';
import type { Config, ConfigOrigins } from '../app/kernel/config/schema.ts';
import { withNamedStart } from '../app/kernel/unreachable-storage.ts';
import { AppError, type Clock, type Logger } from '../ports/index.ts';
import type { OpenedStore, StoreDriver } from '../ports/storage/store-driver.ts';

interface StorePlace {
  readonly config: Pick<Config, 'MAX_HOST_BYTES' | 'DATABASE_URL' | 'DATABASE_PASSWORD'>;
  readonly workingDirectory: string;
  readonly writer?: MessagePort;
  readonly storageMustExist?: boolean;
  readonly storageMayUpgrade?: boolean;
  readonly storageMade?: (place: string) => void;
}

/** Opens the store of an address, not started. `invalid_input` when no store has addresses like it. */
export async function openStorage(
  address: string,
  place: StorePlace,
  logger: Logger,
  clock: Clock,
): Promise<OpenedStore> {
  const { DATABASE_URL, DATABASE_PASSWORD } = place.config;
  const settings = {
    workingDirectory: place.workingDirectory,
    maxHostBytes: place.config.MAX_HOST_BYTES,
    mustExist: place.storageMustExist === true,
    mayUpgrade: place.storageMayUpgrade !== false,
    ...(place.storageMade === undefined ? {} : { made: place.storageMade }),
    ...(place.writer === undefined ? {} : { line: place.writer }),
    // A store beside the configured one, as in a migration, has a password of its own.
    ...(address === DATABASE_URL && DATABASE_PASSWORD !== '' ? { password: DATABASE_PASSWORD } : {}),
  };
  const driver = driverOf(address);
  const opened = await driver.open(address, settings, { logger, clock });
  // A store of files says itself which one cannot be opened.
  return hasOtherNodes(address, place.workingDirectory)
    ? { ...opened, storage: withNamedStart(opened.storage, address) }
    : opened;
}

/** Throws where no store has addresses like that of the configuration, and says where it comes from. */
export function requireStore({ config, origins }: { readonly config: Config; readonly origins: ConfigOrigins }): void {
  if (findDriver(config.DATABASE_URL) !== undefined) return;
  const message = `bad value of DATABASE_URL in ${origins.DATABASE_URL}: must begin with ${knownAddresses()}`;
  throw new AppError('invalid_input', `configuration: ${message}`);
}

/** Files of this machine in which the store of the address keeps what is stored. */
export function storeFiles(address: string, workingDirectory: string): readonly string[] {
  return driverOf(address).files(address, workingDirectory);
}

/** Copies of it that the store of the address keeps on this machine. */
export function storeCopies(address: string, workingDirectory: string): readonly string[] {
  return driverOf(address).copies?.(address, workingDirectory) ?? [];
}

/** Whether the store of the address is a server, which several nodes may have at once. */
export function hasOtherNodes(address: string, workingDirectory: string): boolean {
  const driver = driverOf(address);
  return driver.isShared && driver.files(address, workingDirectory).length === 0;
}

/** Whether further threads and processes can open the store of the address. */
export function isShared(address: string): boolean {
  return driverOf(address).isShared;
}

function driverOf(address: string): StoreDriver {
  const driver = findDriver(address);
  if (driver !== undefined) return driver;
  throw new AppError(
    'invalid_input',
    `the database URL has an unknown scheme ${schemeOf(address)}; use ${knownAddresses()}`,
  );
}

function findDriver(address: string): StoreDriver | undefined {
  return STORE_DRIVERS.find(({ schemes }) => schemes.includes(schemeOf(address)));
}

function schemeOf(address: string): string {
  return address.slice(0, address.indexOf(':'));
}

function knownAddresses(): string {
  const known = STORE_DRIVERS.map(({ addresses }) => addresses);
  return `${known.slice(0, -1).join(', ')} or ${known.at(-1)}`;
}
