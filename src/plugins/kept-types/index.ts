import { definePlugin } from '../../ports/plugin.ts';
import { keptType } from './rule-type.ts';
import { KEPT_TYPES } from './table.ts';

export default definePlugin({
  id: 'kept-types',
  apiVersion: 2,
  description: 'Rule types of existing installations whose documents are kept until something acts on them',
  register(host) {
    for (const row of KEPT_TYPES) host.ruleType(keptType(row));
  },
});
