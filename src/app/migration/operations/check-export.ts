import * as z from 'zod';
import { defineOperation } from '../../maintenance/services.ts';
import { bundleSchema } from '../../rules/bundle-schema.ts';
import { switchSchema } from '../../rules/rule-type-input.ts';
import { bundleAnswer, bundleMembers } from '../../rules/transfer/import-answer.ts';
import { importDocuments } from '../../rules/transfer/import-documents.ts';
import { linesOf } from '../../rules/transfer/rules-text.ts';
import { differencesOf } from '../differences.ts';
import { exportedDocuments } from '../exported-documents.ts';
import { groupsOf } from '../groups-of.ts';
import { secretsOf } from '../secrets-of.ts';
import { usersOf } from '../users-of.ts';

export const checkExport = defineOperation({
  name: 'system/check-export',
  title: 'Check an export',
  description:
    'Result of taking over an export of an existing installation, before anything is stored: what works, what is kept, what is refused, what behaves differently, which secrets have to be entered, what jobs do, and what users can access.',
  effect: 'read',
  roles: ['admin'],
  weight: 'heavy',
  at: {
    rest: {
      path: 'POST /migration/check',
      query: ['skip_broken', 'rule_type'],
      body: 'required',
      bodySchema: bundleSchema,
      textMember: 'lines',
    },
    page: true,
  },
  input: z.object({
    rule_type: z.string().optional().describe('JSON lines: the type of rules before the first header line'),
    rules: z.unknown().optional().describe('A list of documents, or lists by rule type'),
    lines: z.string().optional().describe('JSON lines instead of rules'),
    text: z.string().optional().describe('A file instead of rules: an export, or JSON lines, detected by content'),
    skip_broken: switchSchema.describe(
      '1 reports lines that are not JSON objects and continues, instead of refusing everything',
    ),
  }),
  output: z.object({
    import: z.object(bundleMembers).describe('Answer of a dry run of the import'),
    documents: z.record(z.string(), z.number().int()).describe('How many documents there are, by type'),
    differences: z
      .array(
        z.object({
          topic: z.string(),
          what: z.string(),
          action: z.string(),
          documents: z.array(
            z.object({
              rule_type: z.string(),
              name: z.string(),
              line: z.number().int().optional(),
              message: z.string().optional(),
            }),
          ),
        }),
      )
      .describe('Imported settings that behave differently'),
    secrets: z
      .array(
        z.object({
          rule_type: z.string(),
          name: z.string(),
          member: z.string(),
          state: z
            .enum(['enter', 'works', 'sealed', 'reset', 'missing'])
            .describe('enter, reset and missing ask for a new one'),
        }),
      )
      .describe('Treatment of passwords, second factors and tokens'),
    groups: z
      .array(
        z.object({
          name: z.string(),
          enabled: z.boolean(),
          jobs: z.array(
            z.object({
              name: z.string(),
              command: z.string(),
              account: z.string().nullable(),
              becomes: z.string().describe('Action here, or why it would fail'),
              fails: z.boolean(),
            }),
          ),
        }),
      )
      .describe('Cron groups and what their jobs do here'),
    users: z
      .array(
        z.object({
          name: z.string(),
          reaches: z.enum(['same', 'less', 'more', 'other']).describe('Compared with before; other: more and less'),
          reasons: z.array(z.string()),
        }),
      )
      .describe('Access of users, compared with before'),
  }),
  async run(content, { services, caller }) {
    const { parts, broken } = linesOf(content);
    const result = await importDocuments(services, caller, parts, {
      override: false,
      dryRun: true,
      compares: true,
      broken,
    });
    const documents = exportedDocuments(services, parts);
    // As a rule everything would change: the import goes into an empty storage.
    const { changes: _changes, differing: _differing, ...imported } = bundleAnswer(result, true, caller);
    return {
      import: imported,
      documents: Object.fromEntries([...documents].map(([type, { length }]) => [type, length])),
      differences: differencesOf(services, documents).map((difference) => ({
        ...difference,
        documents: [...difference.documents],
      })),
      secrets: [...secretsOf(services, documents)],
      groups: (await groupsOf(services, documents)).map((group) => ({ ...group, jobs: [...group.jobs] })),
      users: usersOf(documents).map((user) => ({ ...user, reasons: [...user.reasons] })),
    };
  },
});
