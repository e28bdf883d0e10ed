import { definePlugin } from '../../ports/plugin.ts';
import { automationPlaybookFire } from './rule-type.ts';

export default definePlugin({
  id: 'automation-playbook-fire',
  apiVersion: 2,
  description: 'Rules that run a playbook when a host begins to match',
  register(host) {
    host.ruleType(automationPlaybookFire);
  },
});
