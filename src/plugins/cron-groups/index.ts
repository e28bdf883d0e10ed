import { definePlugin } from '../../ports/plugin.ts';
import { cronGroups } from './rule-type.ts';

export default definePlugin({
  id: 'cron-groups',
  apiVersion: 2,
  description: 'Groups of jobs that run on a schedule or by a webhook',
  register(host) {
    host.ruleType(cronGroups);
  },
});
