import { createStorage } from '../../adapters/mongodb/harness.ts';
import { openSqlite, sqliteFolder } from '../../adapters/sqlite/sqlite-harness.ts';
import { describeFaults } from './faults.suite.ts';

describeFaults('SQLite', async () => {
  const folder = await sqliteFolder();
  const storage = await openSqlite(folder.path);
  return {
    storage,
    async close() {
      await storage.stop();
      await folder.remove();
    },
  };
});

if (process.env.THOROUGH === '1') describeFaults('MongoDB', createStorage);
