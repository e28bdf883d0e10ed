import { definePlugin } from '../../ports/plugin.ts';
import { cmdbTemplates } from './cmdb-templates.ts';
import { hostObjects } from './host-objects.ts';

export default definePlugin({
  id: 'host-objects',
  apiVersion: 2,
  description: 'Hosts and templates of hosts as documents',
  register(host) {
    host.ruleType(hostObjects);
    host.ruleType(cmdbTemplates);
  },
});
