import * as z from 'zod';
import { listOfRules, ruleDocument } from '../bundle-schema.ts';
import {
  confirmSchema,
  fireExistingSchema,
  requireStoredType,
  ruleTypeSchema,
  switchSchema,
} from '../rule-type-input.ts';
import { defineOperation } from '../services.ts';
import { partOfType } from '../transfer/bundle.ts';
import { keptAnswer, keptMembers, problemAnswer, problemMembers } from '../transfer/import-answer.ts';
import { importDocuments } from '../transfer/import-documents.ts';

/** The type must exist, whereas `importRules` keeps documents of unknown types. */
export const importRulesOfType = defineOperation({
  name: 'rules/import-rules-of-type',
  title: 'Import rules of one type',
  description: 'Stores one rule document or a list of them. Existing ones are duplicates unless override is on.',
  effect: 'write',
  roles: ['rules'],
  weight: 'heavy',
  at: {
    rest: {
      path: 'POST /rules/:rule_type',
      query: ['override', 'dry_run', 'confirm', 'fire_existing_matches'],
      body: 'required',
      bodyMember: 'rules',
      bodySchema: { title: 'RuleDocuments', anyOf: [ruleDocument, listOfRules] },
      statuses: [201, 200],
      status: (answer) => (answer.imported > 0 ? 201 : 200),
      errors: ['not_found', 'forbidden', 'conflict'],
    },
  },
  input: z.object({
    rule_type: ruleTypeSchema,
    rules: z.unknown().describe('A rule document or a list of them'),
    override: switchSchema.describe('1 replaces existing rules instead of counting them as duplicates'),
    dry_run: switchSchema.describe('1 only counts and checks'),
    confirm: confirmSchema,
    fire_existing_matches: fireExistingSchema,
  }),
  output: z.object({
    rule_type: z.string(),
    imported: z.number().int(),
    duplicate: z.number().int(),
    invalid: z.number().int(),
    same: z.number().int().describe('Rules that were here already as they are in the import'),
    different: z.number().int().describe('Rules that were here with other content'),
    ...keptMembers,
    ...problemMembers,
  }),
  subject: (input) => input.rule_type,
  async run({ rule_type, rules, override, dry_run, confirm, fire_existing_matches }, { services, caller }) {
    const type = await requireStoredType(services, rule_type);
    const result = await importDocuments(services, caller, [partOfType(type.id, rules)], {
      override,
      dryRun: dry_run,
      confirms: confirm,
      compares: true,
      fireExisting: fire_existing_matches,
    });
    const counts = { imported: 0, duplicate: 0, invalid: 0, same: 0, different: 0, ...result.counts.get(type.id) };
    return { rule_type: type.id, ...counts, ...keptAnswer(result), ...problemAnswer(result, dry_run, caller) };
  },
});
