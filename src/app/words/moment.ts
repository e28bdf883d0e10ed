/** ISO 8601 in UTC with whole seconds, `2026-01-31T08:00:00Z`. */
export function secondsOf(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** `YYYY-MM-DD HH:MM:SS` in UTC, the form of logs and cron status. */
export function plainSecondsOf(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', ' ');
}
