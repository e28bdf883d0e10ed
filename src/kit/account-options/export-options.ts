import * as z from 'zod';
import { madeOnce } from '../options/made-once.ts';
import { titled } from '../options/titled.ts';
import { flag } from '../options/values.ts';
import { runOptions } from './run-options.ts';

/** The options that every account with a target has, in addition to those of the target itself. */
export const exportOptions = madeOnce(() =>
  z.strictObject(
    titled(
      {
        project: z
          .string()
          .default('')
          .describe('The project whose rules apply; none: the rules that belong to no project'),
        allow_empty: flag().default(false).describe('Accept an export without a single host; it empties the target'),
        ...runOptions(),
      },
      {
        Which: { project: 'Project' },
        'When it goes': { allow_empty: 'Accept an export without hosts' },
      },
    ),
  ),
);

export type ExportOptions = z.infer<ReturnType<typeof exportOptions>>;
