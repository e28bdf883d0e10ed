/** ISO 8601 in UTC with whole seconds, `2026-01-31T08:00:00Z`. */
export function secondsOf(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

const inZones = new Map<string, Intl.DateTimeFormat>();

/** `YYYY-MM-DD HH:MM:SS` as clocks in a time zone show it. */
export function plainSecondsIn(timeZone: string): (date: Date) => string {
  let format = inZones.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    inZones.set(timeZone, format);
  }
  const zone = format;
  return (date) => {
    const parts = Object.fromEntries(zone.formatToParts(date).map(({ type, value }) => [type, value]));
    return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}:${parts.second}`;
  };
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
