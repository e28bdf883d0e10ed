import { definePlugin } from '../../ports/plugin.ts';
import { customAttributes } from './rule-type.ts';

export default definePlugin({
  id: 'custom-attributes',
  apiVersion: 2,
  description: 'Rules that set attributes for every consumer',
  register(host) {
    host.ruleType(customAttributes);
  },
});
