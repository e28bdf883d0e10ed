import { definePlugin } from '../../ports/plugin.ts';
import { automationFilter } from './rule-type.ts';

export default definePlugin({
  id: 'automation-filter',
  apiVersion: 2,
  description: 'Rules that choose which hosts and attributes an inventory shows',
  register(host) {
    host.ruleType(automationFilter);
  },
});
