import * as z from 'zod';
import { madeOnce } from '../options/made-once.ts';

/** Options of every account with a source or a target. */
export const runOptions = madeOnce(() => ({
  runs_at: z
    .string()
    .trim()
    .default('')
    .describe(
      'Where cron jobs of the account run: on nodes whose TAKES names this value, such as dmz; none: on those that take accounts without one',
    )
    .meta({ rare: true }),
}));
