import { dayBefore } from '../changes/search.ts';
import { dayStart, momentAt, today, type Zone } from '../parts/moments.ts';

/** Returns the time to compare with for the service, which means UTC: days and times of the page are those of the reader's clock. */
export function sinceInZone(since: string, zone: Zone): string {
  if (since === 'today') return dayStart(today(zone), zone);
  if (since === 'yesterday') return dayStart(dayBefore(today(zone)), zone);
  if (/^\d{4}-\d\d-\d\d$/.test(since)) return dayStart(since, zone);
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?$/.test(since) ? momentAt(since.replace(' ', 'T'), zone) : since;
}
