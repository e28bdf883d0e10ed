import * as z from 'zod';
import { madeOnce } from '../../../kit/options/made-once.ts';
import { titled } from '../../../kit/options/titled.ts';
import { flag, whole } from '../../../kit/options/values.ts';

/** The common options of accounts by which people log in, in addition to those of the type. */
export const signInOptions = madeOnce(() =>
  z.strictObject(
    titled(
      {
        label: z
          .string()
          .max(60)
          .default('')
          .describe('Text of the button on the login page; absent: the name of the account'),
        create_users: flag()
          .default(true)
          .describe(
            'Whether a person who is not known yet gets a user at the first login; off, such a login is refused',
          ),
        recheck_minutes: whole(1, 1440)
          .default(15)
          .describe('How often a session is checked again: whether the person may still log in, and the groups'),
        token_hours: whole(1, 8760)
          .default(24)
          .describe('How long API tokens of a person work after the other system vouched for that person'),
      },
      {
        'What becomes of it': { label: 'Text of the button' },
        Which: { create_users: 'Create users at their first login' },
        'When it goes': {
          recheck_minutes: 'Minutes between checks of a session',
          token_hours: 'Hours that API tokens last',
        },
      },
    ),
  ),
);

export type SignInOptions = z.output<ReturnType<typeof signInOptions>>;
