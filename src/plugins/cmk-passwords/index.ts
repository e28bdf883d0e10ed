import { definePlugin } from '../../ports/plugin.ts';
import { cmkPasswords } from './rule-type.ts';

export default definePlugin({
  id: 'cmk-passwords',
  apiVersion: 2,
  description: 'Passwords for the monitoring, encrypted',
  register(host) {
    host.ruleType(cmkPasswords);
  },
});
