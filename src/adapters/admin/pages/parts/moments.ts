import { i18n } from '@lingui/core';

/** Times are shown in the zone of the browser (`browser`), in UTC (`utc`), or in a zone by its name: `Europe/Berlin`. */
export type Zone = string;

let ofReader: Zone = 'browser';

/** The zone that the reader has chosen, for texts that are made outside of components. */
export function readersZone(): Zone {
  return ofReader;
}

export function setReadersZone(zone: Zone): void {
  ofReader = zone;
}

const STEPS: readonly [number, Intl.RelativeTimeFormatUnit][] = [
  [60, 'second'],
  [60, 'minute'],
  [24, 'hour'],
  [30, 'day'],
  [12, 'month'],
  [Number.POSITIVE_INFINITY, 'year'],
];
let relative: Intl.RelativeTimeFormat | undefined;

/** `5 minutes ago`. */
export function ago(time: number, now: number): string {
  relative ??= new Intl.RelativeTimeFormat(i18n.locale, { numeric: 'auto' });
  let distance = (time - now) / 1000;
  for (const [size, unit] of STEPS) {
    if (Math.abs(distance) < size) return relative.format(Math.round(distance), unit);
    distance /= size;
  }
  return '';
}

/** Moments come as ISO 8601, or as `YYYY-MM-DD HH:MM:SS` in UTC. */
export function isoOf(at: string): string {
  return at.includes('T') ? at : `${at.replace(' ', 'T')}Z`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function format(zone: Zone, name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${name}`;
  let found = formats.get(key);
  if (found === undefined) {
    // Sweden writes dates as ISO 8601 does.
    found = new Intl.DateTimeFormat('sv-SE', { ...options, ...(zone !== 'browser' && { timeZone: zone }) });
    formats.set(key, found);
  }
  return found;
}

/** `2026-01-31 14:05:09`. */
export function exactText(at: string, zone: Zone): string {
  return format(zone, 'exact', { dateStyle: 'short', timeStyle: 'medium' }).format(new Date(isoOf(at)));
}

/** `14:05`. */
export function clockText(at: string, zone: Zone): string {
  return format(zone, 'clock', { hour: '2-digit', minute: '2-digit' }).format(new Date(isoOf(at)));
}

/** `2026-01-31`. */
export function dayText(at: string, zone: Zone): string {
  return format(zone, 'day', { dateStyle: 'short' }).format(new Date(isoOf(at)));
}

/** The day that it is in the zone: `2026-01-31`. */
export function today(zone: Zone): string {
  return dayText(new Date().toISOString(), zone);
}

/** When a day, as `2026-01-31`, begins in the zone: an ISO 8601 moment in UTC. */
export function dayStart(day: string, zone: Zone): string {
  return momentAt(`${day}T00:00`, zone);
}

/** When clocks of the zone show this, as fields of pages hold it: `2026-01-31T14:05`. An ISO 8601 moment in UTC. */
export function momentAt(wall: string, zone: Zone): string {
  const inUtc = Date.parse(`${wall}Z`);
  /** Milliseconds by which clocks there are before UTC. */
  const ahead = (at: number): number => {
    const shown = exactText(new Date(at).toISOString(), zone).replace(' ', 'T');
    return Date.parse(`${shown}Z`) - at;
  };
  // Clocks may have changed between that time in UTC and the same there.
  return new Date(inUtc - ahead(inUtc - ahead(inUtc))).toISOString();
}

/** When a day of the zone begins, as searches write it: theirs are days of UTC. */
export function searchedDayStart(day: string, zone: Zone): string {
  return zoneName(zone) === 'UTC' ? day : `"${searchedMoment(dayStart(day, zone))}"`;
}

/** A moment as searches write it: `2026-01-31 14:05:09` in UTC. */
export function searchedMoment(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ');
}

/** `UTC`, or the name of the zone: `Europe/Berlin`. */
export function zoneName(zone: Zone): string {
  if (zone === 'utc') return 'UTC';
  return zone === 'browser' ? Intl.DateTimeFormat().resolvedOptions().timeZone : zone;
}

/** Whether this browser knows such a zone. */
export function isZone(name: unknown): name is Zone {
  if (typeof name !== 'string' || name === '') return false;
  try {
    if (name !== 'browser') new Intl.DateTimeFormat('sv-SE', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
