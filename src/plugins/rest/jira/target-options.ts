import * as z from 'zod';
import { madeOnce } from '../../../kit/options/made-once.ts';
import { titled } from '../../../kit/options/titled.ts';
import { flag, textList } from '../../../kit/options/values.ts';
import { phrase } from '../../../kit/worded.ts';

/** Assets of all sites are at one address, whatever address an account has. */
export const JIRA_ADDRESS = 'https://api.atlassian.com';

/** Options of export accounts that are not about their system. */
export const jiraTargetMembers = madeOnce(() =>
  titled(
    {
      update_only: z
        .union([flag(), z.literal('').transform(() => false)], phrase`must be true or false`)
        .optional()
        .describe('Objects that are there are changed, and none is made or deleted'),
      object_types: textList()
        .refine((numbers) => numbers.every((number) => /^\d+$/.test(number)), phrase`must be numbers of object types`)
        .optional()
        .describe(
          'Numbers of the object types whose objects are read and written, comma-separated; absent: all of the workspace',
        ),
    },
    {
      'What becomes of it': { update_only: 'Only change objects' },
      Which: { object_types: 'Object types' },
    },
  ),
);
