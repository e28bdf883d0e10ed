import { t } from '@lingui/core/macro';
import type { Weekday } from '../../../../app/runs/cron/decisions/schedule.ts';
import { CallError } from '../calls/call.ts';
import type { ShownGroup } from './group-state.tsx';
import { WEEKDAY_WORDS } from './schedule-words.ts';

type Settings = ShownGroup['settings'];

export const INTERVALS = [
  { value: '10', label: t`every 10 minutes` },
  { value: '60', label: t`every hour` },
  { value: '1440', label: t`every day` },
  { value: 'other', label: t`another interval` },
  { value: 'never', label: t`only on request` },
];

const DAYS = Object.keys(WEEKDAY_WORDS);

export const NEW_GROUP: Settings = {
  name: '',
  enabled: true,
  documentation: '',
  interval_minutes: 1440,
  hours: null,
  weekdays: null,
  jobs: [{ name: '', command: '', account: null }],
  continue_on_error: false,
  webhook_enabled: false,
  sort_field: 0,
};

/** Returns a group that imports an account, or exports to it, once a day. */
export function dailyGroup(account: string, command: 'Import' | 'Export'): Settings {
  const name = `${command} ${account} every day`;
  return { ...NEW_GROUP, name, jobs: [{ name: command.toLowerCase(), command, account }] };
}

/** The settings of a group as the fields of its form hold them; number fields hold text while they are empty. */
export type GroupValues = ReturnType<typeof valuesOf>;

export function valuesOf({ interval_minutes, hours, weekdays, ...others }: Settings) {
  const known = INTERVALS.some(({ value }) => value === String(interval_minutes));
  return {
    ...others,
    jobs: others.jobs.map((job) => ({ ...job })),
    interval: interval_minutes === null ? 'never' : known ? String(interval_minutes) : 'other',
    minutes: (interval_minutes ?? 1440) as number | string,
    weekdays: [...(weekdays ?? DAYS)],
    hasHours: hours !== null,
    from: (hours?.from ?? 22) as number | string,
    to: (hours?.to ?? 6) as number | string,
  };
}

export function settingsOf({ interval, minutes, hasHours, from, to, weekdays, ...others }: GroupValues): Settings {
  const interval_minutes = interval === 'never' ? null : Number(interval === 'other' ? minutes : interval);
  return {
    ...others,
    sort_field: Number(others.sort_field) || 0,
    interval_minutes,
    weekdays: weekdays.length === DAYS.length ? null : (weekdays as Weekday[]),
    hours: hasHours ? { from: Number(from), to: Number(to) } : null,
  };
}

/** Returns the service's errors by field. */
export function errorsOf(error: Error): Record<string, string> {
  if (!(error instanceof CallError)) return {};
  if (error.code === 'conflict') return { name: error.message };
  const details = error.details.filter(({ path }) => /^(settings\.)?(name$|jobs\.\d+\.(command|account)$)/.test(path));
  return Object.fromEntries(details.map(({ path, message }) => [path.replace(/^settings\./, ''), message]));
}
