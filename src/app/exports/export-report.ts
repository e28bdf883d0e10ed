import * as z from 'zod';
import { planCountsSchema, planEntrySchema } from './plans/plan-answer.ts';

const count = z.number().int();

/** The report of an export run. */
export const exportReportSchema = z.object({
  account: z.string(),
  status: z.enum(['done', 'partial', 'failed']),
  message: z.string(),
  cancelled: z.boolean(),
  summary: z.object({ seen: count, written: count, unchanged: count, failed: count, duration_ms: count }),
  failures: z.array(z.object({ hostname: z.string(), reason: z.string() })),
  failures_total: count,
  objects: planCountsSchema.optional().describe('Targets with objects: what was planned for how many of them'),
  plan: z.string().optional().describe('Targets with objects: id of the plan that was applied, or that waits'),
  waits: z.boolean().optional().describe('Failed, because the plan waits for another user to approve it'),
  changes: z.array(planEntrySchema).optional().describe('Dry runs for targets with objects: the first changes'),
  changes_total: count.optional(),
  documents: z
    .array(
      z.object({
        name: z.string(),
        change: z.enum(['created', 'changed', 'deleted', 'left']),
        beginning: z.string().optional().describe('Dry runs: how it would begin, for the first few that change'),
        lines: z
          .object({ added: count, removed: count, kept: count })
          .optional()
          .describe('Dry runs: changed lines, of files that the account wrote itself'),
      }),
    )
    .optional()
    .describe('Targets that write files: the first of those that changed, or would in a dry run'),
  documents_total: count.optional(),
  empty_fields: z
    .array(z.string())
    .optional()
    .describe('Fields that the account names and that were empty for every host, or would be in a dry run'),
});

export type ExportReport = z.infer<typeof exportReportSchema>;
