import * as z from 'zod';

const count = z.number().int();

/** The report of an import run. */
export const importReportSchema = z.object({
  account: z.string(),
  status: z.enum(['done', 'partial', 'failed']),
  message: z.string(),
  cancelled: z.boolean(),
  changes_only: z.boolean(),
  summary: z.object({
    seen: count,
    created: count,
    updated: count,
    unchanged: count,
    archived: count,
    conflicts: count,
    skipped: count,
    failed: count,
    duration_ms: count,
  }),
  not_written: z.array(z.object({ position: z.string(), hostname: z.string(), kind: z.string(), reason: z.string() })),
  not_written_total: count,
  gaps: z.array(z.object({ what: z.string(), reason: z.string() })),
  gaps_total: count,
  archived_sample: z.array(z.string()),
  refused: count.describe(
    'Hosts that were not archived because they are more than the threshold allows; archived_sample has the first',
  ),
  unseen: count.describe('Hosts that the source no longer names, of an account that archives none: they stay'),
  unseen_sample: z.array(z.string()),
  withdrawn: count,
  left_out: count,
  emptied: count,
  renamed: count,
  renamed_sample: z.array(z.object({ from: z.string(), to: z.string() })),
  key_conflicts: z.array(z.object({ position: z.string(), hostname: z.string(), reason: z.string() })),
  key_conflicts_total: count,
  warnings: z
    .array(z.object({ position: z.string(), hostname: z.string(), reason: z.string(), records: count }))
    .describe('Doubtful values in records that were written all the same'),
  warnings_total: count,
  relations: z.object({ added: count, removed: count }),
  diffs: z.array(
    z.object({
      hostname: z.string(),
      outcome: z.enum(['created', 'updated']),
      changes: z.array(z.object({ path: z.string(), before: z.unknown().optional(), after: z.unknown().optional() })),
    }),
  ),
});

export type ImportReport = z.infer<typeof importReportSchema>;
