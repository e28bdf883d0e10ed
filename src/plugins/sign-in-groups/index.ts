import { definePlugin } from '../../ports/plugin.ts';
import { signInGroups } from './rule-type.ts';

export default definePlugin({
  id: 'sign-in-groups',
  apiVersion: 2,
  description: 'Documents that say what people of a group may do',
  register(host) {
    host.ruleType(signInGroups);
  },
});
