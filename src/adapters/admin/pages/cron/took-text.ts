import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';

const ONE_DIGIT = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;

/** How long a run took, of two times in UTC. */
export function tookText(start: string, end: string): string {
  const seconds = Math.round(
    (Date.parse(`${end.replace(' ', 'T')}Z`) - Date.parse(`${start.replace(' ', 'T')}Z`)) / 1000,
  );
  if (seconds < 1) return t`less than a second`;
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${i18n.number(seconds / 3600, ONE_DIGIT)} h`;
}
