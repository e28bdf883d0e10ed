import * as z from 'zod';
import { plainSecondsOf } from '../../../kit/words/moment.ts';
import type { CronGroup } from './decisions/group.ts';
import { isPaused } from './decisions/schedule.ts';

export const triggerAnswerSchema = z.object({
  status: z.literal('triggered'),
  group: z.string(),
  note: z.string().describe('When it will run'),
});

export function triggerAnswer(group: CronGroup, now: Date): z.infer<typeof triggerAnswerSchema> {
  const note = !group.enabled
    ? 'the group is disabled; it runs on the first cron pass after it is enabled'
    : group.pausedUntil !== null && isPaused(group, now)
      ? `the group is paused; it runs on the first cron pass after ${plainSecondsOf(group.pausedUntil)} UTC`
      : 'the group runs on the next cron pass';
  return { status: 'triggered', group: group.name, note };
}
