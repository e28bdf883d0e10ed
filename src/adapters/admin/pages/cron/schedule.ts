interface Schedule {
  readonly interval_minutes: number | null;
  readonly hours: { readonly from: number; readonly to: number } | null;
}

/** `every hour, from 22 to 6 h`. */
export function scheduleText({ interval_minutes: minutes, hours }: Schedule): string {
  const every = minutes === null ? 'on request' : `every ${durationText(minutes)}`;
  return hours === null ? every : `${every}, from ${hours.from} to ${hours.to} h`;
}

function durationText(minutes: number): string {
  if (minutes % 1440 === 0) return minutes === 1440 ? 'day' : `${minutes / 1440} days`;
  if (minutes % 60 === 0) return minutes === 60 ? 'hour' : `${minutes / 60} hours`;
  return minutes === 1 ? 'minute' : `${minutes} minutes`;
}

/** How long a run took, of two times in UTC. */
export function tookText(start: string, end: string): string {
  const seconds = Math.round(
    (Date.parse(`${end.replace(' ', 'T')}Z`) - Date.parse(`${start.replace(' ', 'T')}Z`)) / 1000,
  );
  if (seconds < 1) return 'less than a second';
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
