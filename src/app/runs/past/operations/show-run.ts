import * as z from 'zod';
import { wordingFor } from '../../../../kit/worded.ts';
import { secondsOf } from '../../../../kit/words/moment.ts';
import { detailsFor } from '../../../journal/log-answer.ts';
import { defineOperation } from '../../services.ts';
import { beganAt, loggedEntry } from '../logged-entry.ts';
import { pastRunSchema } from '../past-run.ts';
import { pastRunView } from '../views/past-run.ts';

export const showRun = defineOperation({
  name: 'runs/show-run',
  title: 'One run',
  description:
    'An import, an export or a run of a cron group that ended, with its log. For the changes of an import, see list_changes of its account between its beginning and its end.',
  effect: 'read',
  roles: ['syncer'],
  weight: 'light',
  at: {
    rest: { path: 'GET /runs/:place', errors: ['not_found'] },
    command: {
      words: 'run show',
      description: 'Show an import, an export or a run of a cron group that ended, with what the log says of it.',
      summary: 'show what ran',
      arguments: { place: { shown: '<place>', description: 'place of the run, as "run list" shows it' } },
      json: 'answer the run as JSON',
      examples: ['muster run show 1767225600000-6956d2a07b8e4f2a9c0d1e2f'],
      view: pastRunView,
    },
    page: true,
  },
  input: z.object({ place: z.string().min(1).describe('Place of the run, as a list of runs says it') }),
  output: z.object({
    run: pastRunSchema,
    began: z.string().nullable().describe('When it began; null where that was not kept'),
    details: z.array(z.object({ level: z.string(), message: z.string() })),
  }),
  async run({ place }, { services, caller }) {
    const { entry, run } = await loggedEntry(services, caller, place);
    const began = beganAt(entry);
    return {
      run,
      began: began === undefined ? null : secondsOf(began),
      details: detailsFor(entry, caller).map(({ level, message, wording }) => ({
        level,
        message,
        ...wordingFor(caller, wording),
      })),
    };
  },
});
