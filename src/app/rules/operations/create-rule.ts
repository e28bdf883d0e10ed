import * as z from 'zod';
import { documentSchema } from '../document-schema.ts';
import { requireStoredType, ruleTypeSchema } from '../rule-type-input.ts';
import { defineOperation } from '../services.ts';
import { partOfType } from '../transfer/bundle.ts';
import { problemsFor } from '../transfer/document-problem.ts';
import { keptAnswer, keptMembers, problemMembers } from '../transfer/import-answer.ts';
import { importDocuments, type TypeCounts } from '../transfer/import-documents.ts';

export const createRule = defineOperation({
  name: 'rules/create-rule',
  title: 'Create rule',
  description:
    'Stores one rule document. One of the same id or name is a duplicate; with override it is replaced instead.',
  effect: 'write',
  roles: ['rules'],
  weight: 'heavy',
  at: { tool: { name: 'create_rule', replaces: true } },
  input: z.object({
    rule_type: ruleTypeSchema.describe('Ident of a rule type; see list_rule_types'),
    rule: documentSchema,
    override: z.boolean().default(false).describe('Replaces the existing rule of the same id or name'),
  }),
  output: z.object({
    rule_type: z.string(),
    status: z.enum(['imported', 'duplicate', 'invalid']),
    ...keptMembers,
    details: problemMembers.details.optional(),
    warnings: problemMembers.warnings.optional(),
  }),
  subject: (input) => input.rule_type,
  async run({ rule_type, rule, override }, { services, caller }) {
    const type = await requireStoredType(services, rule_type);
    const result = await importDocuments(services, caller, [partOfType(type.id, rule)], { override });
    const { counts, details } = result;
    const warnings = problemsFor(caller, [...result.cannotWork, ...result.warnings]);
    return {
      rule_type: type.id,
      status: statusOf(counts.get(type.id)),
      ...keptAnswer(result),
      ...(details.length > 0 ? { details: problemsFor(caller, details) } : {}),
      ...(warnings.length > 0 ? { warnings } : {}),
    };
  },
});

function statusOf(counts: TypeCounts | undefined): 'imported' | 'duplicate' | 'invalid' {
  if (counts?.imported === 1) return 'imported';
  return counts?.duplicate === 1 ? 'duplicate' : 'invalid';
}
