import { definePlugin } from '../../ports/plugin.ts';
import { automationGroups } from './rule-type.ts';

export default definePlugin({
  id: 'automation-groups',
  apiVersion: 2,
  description: 'Rules that give the groups of an inventory parents and variables',
  register(host) {
    host.ruleType(automationGroups);
  },
});
