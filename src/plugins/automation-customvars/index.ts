import { definePlugin } from '../../ports/plugin.ts';
import { automationCustomvars } from './rule-type.ts';

export default definePlugin({
  id: 'automation-customvars',
  apiVersion: 2,
  description: 'Rules that set inventory variables and groups',
  register(host) {
    host.ruleType(automationCustomvars);
  },
});
