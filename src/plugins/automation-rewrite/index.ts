import { definePlugin } from '../../ports/plugin.ts';
import { automationRewrite } from './rule-type.ts';

export default definePlugin({
  id: 'automation-rewrite',
  apiVersion: 2,
  description: 'Rules that rename attributes and change their values',
  register(host) {
    host.ruleType(automationRewrite);
  },
});
