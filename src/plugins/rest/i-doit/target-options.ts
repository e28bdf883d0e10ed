import * as z from 'zod';
import { madeOnce } from '../../../kit/options/made-once.ts';
import { titled } from '../../../kit/options/titled.ts';
import { phrase } from '../../../kit/worded.ts';

/** Options of export accounts that are not about their system: parameters of the preset. */
export const idoitTargetMembers = madeOnce(() =>
  titled(
    {
      mark: z.string().optional().describe('Category of objects that this account made; absent: Muster'),
      delete_as: z
        .enum(['ARCHIVED', 'DELETED', 'PURGE'], phrase`must be ARCHIVED, DELETED or PURGE`)
        .optional()
        .describe(
          'Treatment of objects that no host needs any more: ARCHIVED, DELETED (marked so) or PURGE (removed for good); absent: ARCHIVED',
        ),
    },
    {
      'What becomes of it': { mark: 'Mark of ownership' },
      'When it goes': { delete_as: 'How objects are deleted' },
    },
  ),
);
