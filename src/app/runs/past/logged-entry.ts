import { worded } from '../../../kit/worded.ts';
import { AppError, type LogEntry } from '../../../ports/index.ts';
import { placeSchema } from '../../journal/log-pages.ts';
import { visibleEntries } from '../../journal/visible-logs.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { RunServices } from '../services.ts';
import { loggedRun, type PastRun } from './past-run.ts';

/** Behind all entries of a moment: their ids are smaller. */
const LAST_ID = 'f'.repeat(24);

/** A run that ended, by its place, with what the log has of it. Throws `not_found` for one that the caller may not see, too. */
export async function loggedEntry(
  services: RunServices,
  caller: Caller,
  place: string,
): Promise<{ readonly entry: LogEntry; readonly run: PastRun }> {
  const isPlace = placeSchema.safeParse(place).success;
  const entry = !isPlace ? undefined : await entryAt(place, (request) => visibleEntries(services, caller, request));
  const run = entry === undefined ? undefined : loggedRun(entry, caller);
  if (entry !== undefined && run !== undefined) return { entry, run };
  throw new AppError(
    'not_found',
    worded`there is no run at ${{ place: place.slice(0, 60) }}; list the runs to see which there are, with their places`,
  );
}

/** Returns when the run of a log entry began; `undefined` if that was not kept. */
export function beganAt({ details }: LogEntry): Date | undefined {
  const began = details.find((detail) => detail.began !== undefined)?.began;
  return began === undefined ? undefined : new Date(began);
}

/** The entry at a place, and no other one. Times of a log are shown to the second, so its second is enough. */
async function entryAt(
  place: string,
  read: (request: { limit: number; before: { at: Date; id: string } }) => Promise<readonly LogEntry[]>,
): Promise<LogEntry | undefined> {
  const [time = '', id = ''] = place.split('-');
  const second = Math.floor(Number(time) / 1000) * 1000;
  let before = { at: new Date(second + 999), id: LAST_ID };
  for (;;) {
    const entries = await read({ limit: 50, before });
    const found = entries.find((entry) => entry.id === id);
    const last = entries.at(-1);
    if (found !== undefined) return found.at.getTime() >= second ? found : undefined;
    if (last === undefined || last.at.getTime() < second) return undefined;
    before = last;
  }
}
