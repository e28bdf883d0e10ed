import * as z from 'zod';
import { bundleSchema } from '../bundle-schema.ts';
import { confirmSchema, fireExistingSchema, leaveSchema, leavesOf, switchSchema } from '../rule-type-input.ts';
import { defineOperation } from '../services.ts';
import { bundleAnswer, bundleMembers } from '../transfer/import-answer.ts';
import { importDocuments } from '../transfer/import-documents.ts';
import { linesOf } from '../transfer/rules-text.ts';

export const importRules = defineOperation({
  name: 'rules/import-rules',
  title: 'Import rules',
  description:
    'Replays an export: {rule_type, rules}, {rules: {<type>: […]}} or JSON lines. A malformed bundle imports nothing; an invalid document is reported and the rest is stored, documents of kept and unknown types as they are.',
  effect: 'write',
  roles: ['rules'],
  weight: 'heavy',
  at: {
    rest: {
      path: 'POST /rules/import',
      query: ['override', 'dry_run', 'confirm', 'skip_broken', 'fire_existing_matches', 'rule_type'],
      body: 'required',
      bodySchema: bundleSchema,
      textMember: 'lines',
      statuses: [200, 201],
      status: (answer) => (answer.total > 0 || Object.values(answer.kept ?? {}).some((count) => count > 0) ? 201 : 200),
      errors: ['forbidden', 'conflict'],
    },
    tool: {
      name: 'import_rules_bulk',
      description:
        'Replays an export. A malformed payload imports nothing; an invalid rule is reported in details and the rest is stored.',
      replaces: true,
      rest: 'Correct what is named and import again',
    },
    page: true,
  },
  input: z.object({
    rule_type: z.string().optional().describe('JSON lines: the type of rules before the first header line'),
    rules: z.unknown().optional().describe('A list of documents, or lists by rule type'),
    lines: z.string().optional().describe('JSON lines instead of rules'),
    text: z
      .string()
      .optional()
      .describe('A file instead of rules: an export, the rules of one type, or JSON lines, detected by content'),
    override: switchSchema.describe('1 replaces existing rules instead of counting them as duplicates'),
    leave: leaveSchema,
    dry_run: switchSchema.describe('1 only counts and checks'),
    skip_broken: switchSchema.describe(
      '1 lists lines that are not JSON objects and continues, instead of importing nothing',
    ),
    confirm: confirmSchema,
    fire_existing_matches: fireExistingSchema,
  }),
  output: z.object(bundleMembers),
  async run(
    { override, leave, dry_run, confirm, fire_existing_matches: fireExisting, ...content },
    { services, caller },
  ) {
    const { parts, broken } = linesOf(content);
    const result = await importDocuments(services, caller, parts, {
      override,
      leaves: leavesOf(leave),
      dryRun: dry_run,
      confirms: confirm,
      compares: true,
      fireExisting,
      broken,
    });
    return bundleAnswer(result, dry_run, caller);
  },
});
