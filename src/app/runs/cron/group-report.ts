import * as z from 'zod';
import type { GroupReport } from './group-run.ts';

/** How a run of a group ended, as operations answer it. */
export const groupReportSchema = z.object({
  name: z.string(),
  state: z.enum(['done', 'failed', 'stopped']),
  message: z.string(),
  jobs: z.array(z.object({ name: z.string(), failed: z.boolean(), message: z.string() })),
});

export function groupReportAnswer({ group, state, message, jobs }: GroupReport): z.infer<typeof groupReportSchema> {
  return {
    name: group,
    state,
    message,
    jobs: jobs.map((job) => ({ name: job.name, failed: job.failed, message: job.message })),
  };
}
