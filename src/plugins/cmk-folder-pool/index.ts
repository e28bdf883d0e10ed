import { definePlugin } from '../../ports/plugin.ts';
import { cmkFolderPool } from './rule-type.ts';

export default definePlugin({
  id: 'cmk-folder-pool',
  apiVersion: 2,
  description: 'Monitoring folders with a limited number of seats',
  register(host) {
    host.ruleType(cmkFolderPool);
  },
});
