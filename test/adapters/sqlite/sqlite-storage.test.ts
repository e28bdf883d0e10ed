import type { OpenedStorage } from '../../../src/testing/harness.ts';
import { describeStorageContract } from '../../../src/testing/storage.contract.ts';
import { openSqlite, sqliteFolder } from './sqlite-harness.ts';

const paths = new WeakMap<OpenedStorage, string>();

describeStorageContract('sqlite', {
  async create() {
    const folder = await sqliteFolder();
    const storage = await openSqlite(folder.path);
    const opened: OpenedStorage = {
      storage,
      async close() {
        await storage.stop();
        await folder.remove();
      },
    };
    paths.set(opened, folder.path);
    return opened;
  },
  async reopen(opened) {
    const storage = await openSqlite(paths.get(opened) ?? '');
    return { storage, close: () => storage.stop() };
  },
});
