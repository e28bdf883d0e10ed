import { definePlugin } from '../../ports/plugin.ts';
import { users } from './rule-type.ts';

export default definePlugin({
  id: 'users',
  apiVersion: 2,
  description: 'Users, their roles and their accounts',
  register(host) {
    host.ruleType(users);
  },
});
