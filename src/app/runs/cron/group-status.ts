import * as z from 'zod';
import { plainSecondsOf } from '../../../kit/words/moment.ts';
import type { CronState } from '../../../ports/index.ts';
import type { CronGroup } from './decisions/group.ts';
import { isInterrupted, nextRun } from './decisions/schedule.ts';

export const moment = z
  .string()
  .nullable()
  .describe('YYYY-MM-DD HH:MM:SS, UTC unless REST_LOCAL_TIMES is on; null while unknown');

export const groupStatusSchema = z
  .object({
    name: z.string(),
    last_start: moment,
    next_run: moment,
    is_running: z.boolean(),
    last_message: z.string(),
    has_error: z.boolean(),
  })
  .meta({ title: 'Cron group status' });

export type GroupStatus = z.infer<typeof groupStatusSchema>;

/** These members alone, of an answer that holds more. */
export function statusOf({
  name,
  last_start,
  next_run,
  is_running,
  last_message,
  has_error,
}: GroupStatus): GroupStatus {
  return { name, last_start, next_run, is_running, last_message, has_error };
}

/** Returns the status of a group: the message of its last run, and when it starts again by itself. */
export function groupStatus(
  group: CronGroup,
  state: CronState | undefined,
  { now, written = plainSecondsOf }: { readonly now: Date; readonly written?: (date: Date) => string },
): GroupStatus {
  const next = nextRun(group, state, now);
  const cutOff = state !== undefined && isInterrupted(state);
  return {
    name: group.name,
    last_start: state === undefined ? null : written(state.lastStart),
    next_run: next === null ? null : written(next),
    is_running: state?.isHeld ?? false,
    last_message: cutOff ? 'the last run was interrupted before it ended' : (state?.message ?? ''),
    has_error: cutOff || (state?.hasError ?? false),
  };
}
