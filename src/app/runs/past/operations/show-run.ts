import * as z from 'zod';
import { AppError, type LogEntry } from '../../../../ports/index.ts';
import { placeSchema } from '../../../journal/log-pages.ts';
import { visibleEntries } from '../../../journal/visible-logs.ts';
import { secondsOf } from '../../../words/moment.ts';
import { defineOperation } from '../../services.ts';
import { loggedRun, pastRunSchema } from '../past-run.ts';
import { pastRunView } from '../views/past-run.ts';

/** Behind all entries of a moment: their ids are smaller. */
const LAST_ID = 'f'.repeat(24);

export const showRun = defineOperation({
  name: 'runs/show-run',
  title: 'One run',
  description:
    'An import, an export or a run of a cron group that ended, with what the log says of it. What an import changed is what list_changes tells of its account between its beginning and its end.',
  effect: 'read',
  roles: ['syncer'],
  weight: 'light',
  at: {
    rest: { path: 'GET /runs/:place', errors: ['not_found'] },
    command: {
      words: 'run show',
      description: 'Show an import, an export or a run of a cron group that ended, with what the log says of it.',
      summary: 'show what ran',
      arguments: { place: { shown: '<place>', description: 'place of the run, as "run list --json" shows it' } },
      json: 'answer the run as JSON',
      examples: ['muster run show 1767225600000-6956d2a07b8e4f2a9c0d1e2f'],
      view: pastRunView,
    },
    page: true,
  },
  input: z.object({ place: placeSchema.describe('Place of the run, as a list of runs says it') }),
  output: z.object({
    run: pastRunSchema,
    began: z.string().nullable().describe('When it began; null where that was not kept'),
    details: z.array(z.object({ level: z.string(), message: z.string() })),
  }),
  async run({ place }, { services, caller }) {
    const entry = await entryAt(place, (request) => visibleEntries(services, caller, request));
    const run = entry === undefined ? undefined : loggedRun(entry);
    if (entry === undefined || run === undefined) {
      throw new AppError('not_found', 'there is no such run; "muster run list --json" shows the places of all runs');
    }
    const began = entry.details.find((detail) => detail.began !== undefined)?.began;
    return {
      run,
      began: began === undefined ? null : secondsOf(new Date(began)),
      details: entry.details.map(({ level, message }) => ({ level, message })),
    };
  },
});

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
