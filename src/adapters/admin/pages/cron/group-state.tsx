import type { OfferedOutput } from '../../offered-operations.ts';
import { StatusBadge } from '../parts/status-badge.tsx';

export type CronGroup = OfferedOutput<'cron/show-groups'>['groups'][number];

export type ShownGroup = OfferedOutput<'cron/show-group'>;

type State = 'waits' | 'running' | 'disabled' | 'requested' | 'cut off' | 'failed' | 'new' | 'ok';

const TONES = {
  waits: 'warning',
  running: 'busy',
  disabled: 'quiet',
  requested: 'busy',
  'cut off': 'warning',
  failed: 'bad',
  new: 'quiet',
  ok: 'good',
} as const;

export function stateOf(group: CronGroup): State {
  if (group.is_running) return 'running';
  if (!group.enabled) return 'disabled';
  if (group.waits) return 'waits';
  if (group.run_once_next) return 'requested';
  if (group.begins_again) return 'cut off';
  if (group.has_error) return 'failed';
  return group.last_start === null ? 'new' : 'ok';
}

export function StateBadge({ group }: { readonly group: CronGroup }) {
  const state = stateOf(group);
  return <StatusBadge tone={TONES[state]}>{state}</StatusBadge>;
}

/** True while the state will change by itself soon. */
export function isBusy(group: CronGroup): boolean {
  const next = nextRunOf(group);
  return group.is_running || ('words' in next && next.words === 'next pass');
}

/** When the group starts next where that is no moment, else the moment. */
export function nextRunOf(group: CronGroup): { readonly words: string } | { readonly at: string } {
  if (!group.enabled) return { words: 'when enabled' };
  if (group.run_once_next || group.begins_again) return { words: 'next pass' };
  if (group.last_start === null) return { words: group.hours === null ? 'next pass' : 'in its hours' };
  return group.next_run === null ? { words: 'on request' } : { at: group.next_run };
}
