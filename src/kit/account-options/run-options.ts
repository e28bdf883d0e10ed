import * as z from 'zod';
import { madeOnce } from '../options/made-once.ts';
import { titled } from '../options/titled.ts';

/** Options of every account with a source or a target. */
export const runOptions = madeOnce(() =>
  titled(
    {
      runs_at: z
        .string()
        .trim()
        .default('')
        .describe(
          'Nodes that run cron jobs of the account: those whose TAKES names this value, such as dmz; none: those that take accounts without one',
        )
        .meta({ rare: true }),
    },
    { Where: { runs_at: 'Nodes that run it' } },
  ),
);
