import { definePlugin } from '../../ports/plugin.ts';
import { autorules } from './rule-type.ts';

export default definePlugin({
  id: 'autorules',
  apiVersion: 2,
  description: 'Rules that create rules, one for each host',
  register(host) {
    host.ruleType(autorules);
  },
});
