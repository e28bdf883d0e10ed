import { definePlugin } from '../../ports/plugin.ts';
import { notificationRules } from './rule-type.ts';

export default definePlugin({
  id: 'notification-rules',
  apiVersion: 2,
  description: 'Rules that decide who is notified about what',
  register(host) {
    host.ruleType(notificationRules);
  },
});
