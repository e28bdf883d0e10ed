import * as z from 'zod';

const count = z.number().int();

/** What an export run did. */
export const exportReportSchema = z.object({
  account: z.string(),
  status: z.enum(['done', 'partial', 'failed']),
  message: z.string(),
  cancelled: z.boolean(),
  summary: z.object({ seen: count, written: count, unchanged: count, failed: count, duration_ms: count }),
  failures: z.array(z.object({ hostname: z.string(), reason: z.string() })),
  failures_total: count,
});

export type ExportReport = z.infer<typeof exportReportSchema>;
