import { definePlugin } from '../../ports/plugin.ts';
import { automationProjects } from './rule-type.ts';

export default definePlugin({
  id: 'automation-projects',
  apiVersion: 2,
  description: 'Projects: inventories with their own rules',
  register(host) {
    host.ruleType(automationProjects);
  },
});
