import { type GroupState, nextRunOf, stateOf } from '../../../../app/runs/cron/words.ts';
import type { OfferedOutput } from '../../offered-operations.ts';
import { StatusBadge } from '../parts/status-badge.tsx';
import { STATE_WORDS } from './schedule-words.ts';

export type CronGroup = OfferedOutput<'cron/list-groups'>['groups'][number];

export type ShownGroup = OfferedOutput<'cron/show-group'>;

const TONES = {
  waits: 'warning',
  running: 'busy',
  disabled: 'quiet',
  paused: 'warning',
  requested: 'busy',
  'cut off': 'warning',
  failed: 'bad',
  new: 'quiet',
  ok: 'good',
} as const satisfies Record<GroupState, string>;

export function StateBadge({ group }: { readonly group: CronGroup }) {
  const state = stateOf(group);
  return <StatusBadge tone={TONES[state]}>{STATE_WORDS[state]}</StatusBadge>;
}

/** True while the state will change by itself soon. */
export function isBusy(group: CronGroup): boolean {
  const next = nextRunOf(group);
  return group.is_running || ('words' in next && next.words === 'next pass');
}
