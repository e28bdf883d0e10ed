import { definePlugin } from '../../ports/plugin.ts';
import { notificationRules } from './rule-type.ts';

export default definePlugin({
  id: 'notification-rules',
  apiVersion: 2,
  description: 'Rules that say who is told of what',
  register(host) {
    host.ruleType(notificationRules);
  },
});
