import * as z from 'zod';
import { defineOperation } from '../../execution/operation.ts';

export const listRuleTypes = defineOperation({
  name: 'rules/list-rule-types',
  title: 'Rule types',
  description: 'Idents of all rule types.',
  effect: 'read',
  roles: ['rules'],
  tool: true,
  weight: 'light',
  input: z.object({}),
  output: z.object({ rule_types: z.array(z.string()) }),
  async run(_input, { services }) {
    return { rule_types: [...services.plugins.ruleTypeIds()] };
  },
});
