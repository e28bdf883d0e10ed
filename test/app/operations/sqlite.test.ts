import { openSqlite, sqliteFolder } from '../../adapters/sqlite/sqlite-harness.ts';
import { describeAccountsAndUsers } from './accounts-users.suite.ts';
import { describeCronOperations } from './cron.suite.ts';
import { describeExports } from './exports.suite.ts';
import { describeFindHosts } from './find-hosts.suite.ts';
import { describeOperating } from './operating.suite.ts';
import { describeOperations } from './operations.suite.ts';
import { describePastedLists } from './pasted-lists.suite.ts';
import { describePlaybooks } from './playbooks.suite.ts';
import { describeRuleOperations } from './rules.suite.ts';
import { describeValues } from './values.suite.ts';

async function createStorage() {
  const folder = await sqliteFolder();
  const storage = await openSqlite(folder.path);
  return {
    storage,
    async close() {
      await storage.stop();
      await folder.remove();
    },
  };
}

describeAccountsAndUsers('SQLite', createStorage);
describeOperating('SQLite', createStorage);
describeOperations('SQLite', createStorage);
describeCronOperations('SQLite', createStorage);
describeExports('SQLite', createStorage);
describeFindHosts('SQLite', createStorage);
describePastedLists('SQLite', createStorage);
describePlaybooks('SQLite', createStorage);
describeRuleOperations('SQLite', createStorage);
describeValues('SQLite', createStorage);
