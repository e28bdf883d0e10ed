import * as z from 'zod';
import type { CronGroup } from './decisions/group.ts';

export const triggerAnswerSchema = z.object({
  status: z.literal('triggered'),
  group: z.string(),
  note: z.string().describe('When it will run'),
});

export function triggerAnswer(group: CronGroup): z.infer<typeof triggerAnswerSchema> {
  const note = group.enabled
    ? 'the group runs on the next cron pass'
    : 'the group is disabled; it runs on the first cron pass after it is enabled';
  return { status: 'triggered', group: group.name, note };
}
