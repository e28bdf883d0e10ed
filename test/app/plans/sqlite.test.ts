import { openSqlite, sqliteFolder } from '../../adapters/sqlite/sqlite-harness.ts';
import { describePlans } from './plans.suite.ts';

describePlans('SQLite', async () => {
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
