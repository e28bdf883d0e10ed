import type { MessagePort } from 'node:worker_threads';
import { STORE_DRIVERS } from '../adapters/storage/drivers.ts';
import type { Config } from '../app/kernel/config/schema.ts';
import { withNamedStart } from '../app/kernel/unreachable-storage.ts';
import { AppError, type Clock, type Logger } from '../ports/index.ts';
import type { OpenedStore, StoreDriver } from '../ports/storage/store-driver.ts';

interface StorePlace {
  readonly config: Pick<Config, 'MAX_HOST_BYTES'>;
  readonly workingDirectory: string;
  readonly writer?: MessagePort;
  readonly storageMustExist?: boolean;
}

/** Opens the store of an address, not started. `invalid_input` when no store has addresses like it. */
export async function openStorage(
  address: string,
  place: StorePlace,
  logger: Logger,
  clock: Clock,
): Promise<OpenedStore> {
  const settings = {
    workingDirectory: place.workingDirectory,
    maxHostBytes: place.config.MAX_HOST_BYTES,
    mustExist: place.storageMustExist === true,
    ...(place.writer === undefined ? {} : { line: place.writer }),
  };
  const driver = driverOf(address);
  const opened = await driver.open(address, settings, { logger, clock });
  // A store of files says itself which one cannot be opened.
  const isServer = driver.isShared && driver.files(address, place.workingDirectory).length === 0;
  return isServer ? { ...opened, storage: withNamedStart(opened.storage, address) } : opened;
}

/** Files of this machine in which the store of the address keeps what is stored. */
export function storeFiles(address: string, workingDirectory: string): readonly string[] {
  return driverOf(address).files(address, workingDirectory);
}

/** Whether further threads and processes can open the store of the address. */
export function isShared(address: string): boolean {
  return driverOf(address).isShared;
}

function driverOf(address: string): StoreDriver {
  const scheme = address.slice(0, address.indexOf(':'));
  const driver = STORE_DRIVERS.find(({ schemes }) => schemes.includes(scheme));
  if (driver !== undefined) return driver;
  const known = STORE_DRIVERS.map(({ addresses }) => addresses);
  throw new AppError(
    'invalid_input',
    `the database URL has an unknown scheme ${scheme}; use ${known.slice(0, -1).join(', ')} or ${known.at(-1)}`,
  );
}
