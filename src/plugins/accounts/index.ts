import { definePlugin } from '../../ports/plugin.ts';
import { accounts } from './rule-type.ts';

export default definePlugin({
  id: 'accounts',
  apiVersion: 2,
  description: 'Accounts: where hosts come from',
  register(host) {
    host.ruleType(accounts);
  },
});
