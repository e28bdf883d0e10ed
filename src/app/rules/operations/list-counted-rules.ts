import * as z from 'zod';
import { fireMarks } from '../fire-marks.ts';
import { requireDocumentType } from '../require-rule.ts';
import { ruleTypeSchema } from '../rule-type-input.ts';
import { defineOperation } from '../services.ts';

export const listCountedRules = defineOperation({
  name: 'rules/list-counted-rules',
  title: 'Rules whose matches count as fired',
  description:
    'The rules of a type that came from another installation and were not evaluated here yet: what they match at first counts as fired.',
  effect: 'read',
  roles: ['rules'],
  weight: 'light',
  at: { page: true },
  input: z.object({ rule_type: ruleTypeSchema }),
  output: z.object({ ids: z.array(z.string()) }),
  async run({ rule_type }, { services }) {
    const type = requireDocumentType(services, rule_type);
    const marks = await fireMarks(services.storage);
    return { ids: marks.filter(({ ruleType }) => ruleType === type.id).map(({ ruleId }) => ruleId) };
  },
});
