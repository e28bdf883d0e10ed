import { createStorage } from '../../adapters/mongodb/harness.ts';
import { createSqlite } from '../../adapters/sqlite/sqlite-harness.ts';
import { REGISTRY_OBJECTS } from '../../plugins/rest/export/target-account.ts';
import { describeFaults, EXAMPLE_PLUGIN, type FaultyTarget } from './faults.suite.ts';

const REST_TARGET: FaultyTarget = {
  type: 'rest_target',
  plugins: [],
  settings: (url) => ({ url, objects: REGISTRY_OBJECTS }),
  isVerbatim: false,
};

for (const target of [EXAMPLE_PLUGIN, REST_TARGET]) {
  describeFaults('SQLite', createSqlite, target);
  if (process.env.THOROUGH === '1') describeFaults('MongoDB', createStorage, target);
}
