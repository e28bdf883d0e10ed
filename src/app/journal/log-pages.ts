import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { phrase } from '../../kit/worded.ts';
import type { LogPlace } from '../../ports/index.ts';

const PLACE = /^\d{1,15}-[0-9a-f]{24}$/;

/** The place where a page of a log continues, as text that callers hand back. */
export const placeSchema = z
  .string()
  .regex(PLACE, phrase`must be what an earlier page answered as next`)
  .describe('Continues after an earlier page: the next of that page');

/** The place that identifies one entry, if it is that of a run. */
export const runPlaceSchema = z
  .string()
  .regex(
    PLACE,
    phrase`must be the place of a run; "muster run list" shows the places, such as 1769846400000-65a1b2c3d4e5f60718293a4b`,
  );

export const sinceSchema = z.iso
  .datetime({ offset: true })
  .describe('Only entries of this time and later: 2026-01-31T08:00:00Z');

export interface LogPage<Entry> {
  readonly entries: readonly Entry[];
  /** `null` when there is nothing older. */
  readonly next: string | null;
}

interface PageRequest<Entry> {
  readonly limit: number;
  readonly before: string | undefined;
  /** Nothing older is read. */
  readonly since?: Date | undefined;
  /** Absent: every entry. */
  readonly matches?: ((entry: Entry) => boolean) | undefined;
}

/** Entries that are read at once where only some of them match. */
const BATCH_SIZE = 100;
/** How many entries are examined for one page; a page may hold fewer than requested, and the next one continues. */
const MOST_LOOKED_AT = 10_000;

/** A page of entries that match, newest first. Only as many are read as the page takes. */
export async function pageOfLog<Entry extends LogPlace>(
  read: (request: { limit: number; before?: LogPlace }) => Promise<readonly Entry[]>,
  { limit, before, since, matches }: PageRequest<Entry>,
): Promise<LogPage<Entry>> {
  const size = matches === undefined ? limit + 1 : BATCH_SIZE;
  const found: Entry[] = [];
  let place = before === undefined ? undefined : placeOf(before);
  for (let lookedAt = 0; lookedAt < MOST_LOOKED_AT; lookedAt += size) {
    const batch = await read({ limit: size, ...(place === undefined ? {} : { before: place }) });
    for (const entry of batch) {
      if (since !== undefined && entry.at < since) return { entries: found, next: null };
      if (found.length === limit) return { entries: found, next: textOf(place) };
      if (matches?.(entry) ?? true) found.push(entry);
      place = entry;
    }
    if (batch.length < size) return { entries: found, next: null };
    // A store in this process answers at once, so other requests would wait until the end.
    if (matches !== undefined) await setImmediate();
  }
  return { entries: found, next: textOf(place) };
}

/** Whether one of the texts contains the other, in any case. */
export function anyContains(texts: readonly string[], wanted: string): boolean {
  const needle = wanted.toLowerCase();
  return texts.some((text) => text.toLowerCase().includes(needle));
}

function placeOf(text: string): LogPlace {
  const [at = '', id = ''] = text.split('-');
  return { at: new Date(Number(at)), id };
}

/** A place as text that callers hand back. */
export function placeText({ at, id }: LogPlace): string {
  return `${at.getTime()}-${id}`;
}

function textOf(place: LogPlace | undefined): string | null {
  return place === undefined ? null : placeText(place);
}
