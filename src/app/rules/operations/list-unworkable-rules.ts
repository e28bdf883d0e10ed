import * as z from 'zod';
import { runProblems } from '../engine/document-problems.ts';
import { requireDocumentType } from '../require-rule.ts';
import { problemsSchema, ruleTypeSchema } from '../rule-type-input.ts';
import { defineOperation } from '../services.ts';

export const listUnworkableRules = defineOperation({
  name: 'rules/list-unworkable-rules',
  title: 'Rules that cannot work',
  description:
    'The rules of a type that are stored as an existing installation had them and cannot work here, with the reasons; disabled ones too.',
  effect: 'read',
  roles: ['rules'],
  weight: 'preview',
  at: { page: true },
  input: z.object({ rule_type: ruleTypeSchema }),
  output: z.object({
    rules: z.array(z.object({ id: z.string(), name: z.string(), problems: problemsSchema })),
  }),
  async run({ rule_type }, { services }) {
    const type = requireDocumentType(services, rule_type);
    const records = await services.storage.rules.list(type.id);
    return {
      rules: records.flatMap(({ id, name, document }) => {
        const problems = runProblems(document.value, type, services.plugins);
        return problems.length === 0 ? [] : [{ id, name, problems }];
      }),
    };
  },
});
