import { t } from '@lingui/core/macro';

/** How far back the log can be narrowed to. */
export const LOG_SPANS = [
  { hours: 1, label: t`Last hour` },
  { hours: 24, label: t`Last 24 hours` },
  { hours: 168, label: t`Last 7 days` },
  { hours: 720, label: t`Last 30 days` },
] as const;
