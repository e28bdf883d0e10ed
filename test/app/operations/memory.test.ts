import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { describeAccountsAndUsers } from './accounts-users.suite.ts';
import { describeActiveRuns } from './active-runs.suite.ts';
import { describeComments } from './comments.suite.ts';
import { describeCronOperations } from './cron.suite.ts';
import { describeExports } from './exports.suite.ts';
import { describeFailingSource } from './failing-source.suite.ts';
import { describeHostDays } from './host-days.suite.ts';
import { describeHostQuality } from './host-quality.suite.ts';
import { describeInventoryGroups } from './inventory-groups.suite.ts';
import { describeInventoryTimes } from './inventory-times.suite.ts';
import { describeOperating } from './operating.suite.ts';
import { describeOperations } from './operations.suite.ts';
import { describePastedLists } from './pasted-lists.suite.ts';
import { describePlaybooks } from './playbooks.suite.ts';
import { describePublished } from './published.suite.ts';
import { describeRuleEffects } from './rule-effects.suite.ts';
import { describeRuleOperations } from './rules.suite.ts';
import { describeSearchHosts } from './search-hosts.suite.ts';
import { describeUndoRun } from './undo-run.suite.ts';
import { describeValues } from './values.suite.ts';

async function createStorage() {
  const storage = memoryStorage()();
  await storage.start();
  return { storage, close: () => storage.stop() };
}

describeActiveRuns('memory', createStorage);
describeUndoRun('memory', createStorage);
describeAccountsAndUsers('memory', createStorage);
describeOperating('memory', createStorage);
describeOperations('memory', createStorage);
describeCronOperations('memory', createStorage);
describeExports('memory', createStorage);
describeFailingSource('memory', createStorage);
describeSearchHosts('memory', createStorage);
describeHostDays('memory', createStorage);
describeComments('memory', createStorage);
describeHostQuality('memory', createStorage);
describeInventoryGroups('memory', createStorage);
describeInventoryTimes('memory', createStorage);
describePastedLists('memory', createStorage);
describePlaybooks('memory', createStorage);
describePublished('memory', createStorage);
describeRuleOperations('memory', createStorage);
describeRuleEffects('memory', createStorage);
describeValues('memory', createStorage);
