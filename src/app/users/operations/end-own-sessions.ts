import * as z from 'zod';
import { endSessionsOf } from '../end-sessions-of.ts';
import { requireUser } from '../require-user.ts';
import { defineOperation } from '../services.ts';
import { sessionHandleSchema } from '../session-answer.ts';

export const endOwnSessions = defineOperation({
  name: 'users/end-own-sessions',
  title: 'End own sessions',
  description:
    'Ends one session of the caller at the admin interface, or all but the one that asks. Every user may, read-only ones too.',
  effect: 'destructive',
  roles: 'decided-by-operation',
  weight: 'light',
  at: { page: true },
  input: z.object({ session: sessionHandleSchema.optional() }),
  output: z.object({ status: z.literal('ended'), ended: z.number().int() }),
  subject: ({ session }) => session ?? '',
  async run({ session }, { services, caller }) {
    if (caller.refusal !== undefined) throw caller.refusal;
    const user = await requireUser(services, caller.name);
    const ended = await endSessionsOf(services, user, { handle: session, except: caller.session });
    return { status: 'ended' as const, ended };
  },
});
