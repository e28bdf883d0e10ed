const HOUR = 3_600_000;
const HOURS_KEPT = 256;
/** `2026-01-31T08:` by hours since 1970: the times of hosts fall into few of them, and formatting is slow. */
const hours = new Map<number, string>();
const sixty = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** Returns ISO 8601 in UTC with whole seconds, `2026-01-31T08:00:00Z`. Throws a RangeError for an invalid date. */
export function secondsOf(date: Date): string {
  const time = date.getTime();
  const hour = Math.floor(time / HOUR);
  let beginning = hours.get(hour);
  if (beginning === undefined) {
    beginning = date.toISOString().slice(0, -10);
    if (hours.size >= HOURS_KEPT) hours.clear();
    hours.set(hour, beginning);
  }
  const second = Math.floor((time - hour * HOUR) / 1000);
  return `${beginning}${sixty[Math.floor(second / 60)]}:${sixty[second % 60]}Z`;
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
