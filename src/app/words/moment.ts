/** ISO 8601 in UTC with whole seconds, `2026-01-31T08:00:00Z`. */
export function secondsOf(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** `YYYY-MM-DD HH:MM:SS` in UTC, the form of logs and cron status. */
export function plainSecondsOf(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', ' ');
}

/** A moment of an answer (`2026-03-01T07:30:00Z`, or false) as people read it. All times are UTC. */
export function momentText(moment: string | false | null | undefined): string {
  if (!moment) return 'never';
  return moment.replace('T', ' ').replace(/(\.\d+)?Z$/, '');
}
