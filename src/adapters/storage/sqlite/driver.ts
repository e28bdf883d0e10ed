import { resolve } from 'node:path';
import type { StoreDriver } from '../../../ports/storage/store-driver.ts';
import { copiesOf } from './upgrade-copies.ts';

/** SQLite keeps data that is not in the database yet in files next to it. */
const ENDINGS = ['', '-wal', '-shm', '-journal'];

export const sqliteDriver: StoreDriver = {
  schemes: ['sqlite'],
  addresses: 'sqlite:',
  isShared: true,
  async open(address, { workingDirectory, mustExist, mayUpgrade, made, maxHostBytes, line }, { logger, clock }) {
    const { sqliteStorage } = await import('./storage.ts');
    const path = pathOf(address, workingDirectory);
    const options = {
      path,
      mustExist,
      mayUpgrade,
      maxHostBytes,
      ...(made === undefined ? {} : { made }),
      ...(line === undefined ? {} : { writer: line }),
    };
    const storage = sqliteStorage(options)({ logger, clock });
    return { storage, lineForThread: () => storage.writerPort() };
  },
  copies: (address, workingDirectory) => copiesOf(pathOf(address, workingDirectory)),
  files: (address, workingDirectory) => ENDINGS.map((ending) => pathOf(address, workingDirectory) + ending),
};

/** `sqlite:data/muster.db`, or with two slashes before an absolute path. */
function pathOf(address: string, workingDirectory: string): string {
  return resolve(workingDirectory, address.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, ''));
}
