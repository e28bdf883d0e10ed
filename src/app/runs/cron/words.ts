import type { GroupOverview } from './group-overview.ts';

export type GroupState =
  | 'running'
  | 'disabled'
  | 'waits'
  | 'paused'
  | 'requested'
  | 'cut off'
  | 'failed'
  | 'new'
  | 'ok';

export function stateOf(group: GroupOverview): GroupState {
  if (group.is_running) return 'running';
  if (!group.enabled) return 'disabled';
  if (group.waits) return 'waits';
  if (group.paused_until !== null) return 'paused';
  if (group.run_once_next) return 'requested';
  if (group.begins_again) return 'cut off';
  if (group.has_error) return 'failed';
  return group.last_start === null ? 'new' : 'ok';
}

export type NextRun = 'when enabled' | 'next pass' | 'after its pause' | 'in its hours' | 'on request';

/** Returns the moment of the next start, or words if there is no fixed moment. */
export function nextRunOf(group: GroupOverview): { readonly words: NextRun } | { readonly at: string } {
  if (!group.enabled) return { words: 'when enabled' };
  const isAsked = group.run_once_next || group.begins_again;
  if (group.paused_until !== null && (isAsked || group.next_start === null)) return { words: 'after its pause' };
  if (isAsked) return { words: 'next pass' };
  if (group.paused_until === null && group.last_start === null && group.hours === null && group.weekdays === null)
    return { words: 'next pass' };
  if (group.next_start !== null) return { at: group.next_start };
  if (group.last_start === null) return { words: 'in its hours' };
  return group.next_run === null ? { words: 'on request' } : { at: group.next_run };
}

/** `every hour, 22 to 6 h, mon tue`. */
export function scheduleText({
  interval_minutes: minutes,
  hours,
  weekdays,
}: Pick<GroupOverview, 'interval_minutes' | 'hours' | 'weekdays'>): string {
  const every = minutes === null ? 'on request' : `every ${intervalText(minutes)}`;
  const within = hours === null ? every : `${every}, ${hours.from} to ${hours.to} h`;
  return weekdays === null ? within : `${within}, ${weekdays.join(' ')}`;
}

function intervalText(minutes: number): string {
  if (minutes % 1440 === 0) return minutes === 1440 ? 'day' : `${minutes / 1440} days`;
  if (minutes % 60 === 0) return minutes === 60 ? 'hour' : `${minutes / 60} hours`;
  return minutes === 1 ? 'minute' : `${minutes} min`;
}
