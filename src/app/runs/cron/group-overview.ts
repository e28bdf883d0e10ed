import * as z from 'zod';
import { plainSecondsOf } from '../../../kit/words/moment.ts';
import type { CronState } from '../../../ports/index.ts';
import type { CronGroup } from './decisions/group.ts';
import { isBegunAgain, isPaused, type Started, upcomingRuns, WEEKDAYS } from './decisions/schedule.ts';
import { groupStatus, groupStatusSchema, moment } from './group-status.ts';

export const groupOverviewSchema = groupStatusSchema.extend({
  enabled: z.boolean(),
  last_end: moment,
  next_start: moment.describe(
    'Next start by its schedule within its hours and days; null if there is none within a week, or a week after its pause, and if it runs on request only',
  ),
  next_start_if_run_now: moment.describe(
    'The same if it is run now, which restarts its interval: another time if that run replaces one within its hours',
  ),
  begins_again: z.boolean().describe('Whether its last run was interrupted and is restarted'),
  run_once_next: z.boolean().describe('Whether the next pass runs it, whatever its schedule says'),
  interval_minutes: z.number().nullable().describe('null: only on request'),
  hours: z.object({ from: z.number(), to: z.number() }).nullable().describe('null: the whole day'),
  weekdays: z.array(z.enum(WEEKDAYS)).nullable().describe('Days on which it starts by itself; null: every day'),
  paused_until: moment.describe('Until then it starts only if a user insists; null if it is not paused'),
  webhook: z.enum(['off', 'user', 'token', 'signature']).describe('Required authentication of webhook calls'),
  jobs: z.array(z.string()),
  accounts: z.array(z.string()).describe('Accounts that its jobs are of, as its document names them'),
  waits: z.boolean().describe('Whether it waits for an administrator, and its jobs fail until then'),
});

export type GroupOverview = z.infer<typeof groupOverviewSchema>;

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

interface OverviewTimes {
  readonly now: Date;
  /** The time zone of the groups' hours. */
  readonly timeZone: string;
  readonly written?: (date: Date) => string;
}

/** The status of a group with what its document says about when it runs. */
export function groupOverview(
  group: CronGroup,
  state: CronState | undefined,
  { now, timeZone, written = plainSecondsOf }: OverviewTimes,
): GroupOverview {
  const paused = isPaused(group, now) ? group.pausedUntil : null;
  const until = new Date((paused ?? now).getTime() + WEEK_MS);
  const startAfter = (known: Started | undefined): string | null => {
    const [start] = upcomingRuns(group, known, { now, until, timeZone, most: 1 });
    return start === undefined ? null : written(start);
  };
  return {
    ...groupStatus(group, state, { now, written }),
    enabled: group.enabled,
    last_end: state === undefined || state.lastEnd === null ? null : written(state.lastEnd),
    next_start: startAfter(state),
    next_start_if_run_now: startAfter({ lastStart: now }),
    begins_again: state !== undefined && isBegunAgain(state),
    run_once_next: group.runOnceNext,
    interval_minutes: group.intervalMinutes,
    hours: group.window,
    weekdays: group.weekdays === null ? null : [...group.weekdays],
    paused_until: paused === null ? null : written(paused),
    webhook: webhookOf(group),
    jobs: group.jobs.map(({ name, command }) => name || command),
    accounts: [...new Set(group.jobs.flatMap(({ account }) => account ?? []))],
    waits: group.record.confirmedBy === null && group.jobs.length > 0,
  };
}

function webhookOf({ webhookEnabled, webhookPolicy, webhookTokenHash }: CronGroup): GroupOverview['webhook'] {
  if (!webhookEnabled) return 'off';
  if (webhookPolicy !== null) return 'signature';
  return webhookTokenHash === '' ? 'user' : 'token';
}
