import { t } from '@lingui/core/macro';
/** How long a run took, of two times in UTC. */
export function tookText(start: string, end: string): string {
  const seconds = Math.round(
    (Date.parse(`${end.replace(' ', 'T')}Z`) - Date.parse(`${start.replace(' ', 'T')}Z`)) / 1000,
  );
  if (seconds < 1) return t`less than a second`;
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? t`${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
