import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import { defineOperation } from '../../runs/services.ts';
import { endSnooze, keyOf, requireSubject, subjectSchema } from '../snooze.ts';

export const endSnoozeOfProblem = defineOperation({
  name: 'snoozes/end-snooze',
  title: 'End a snooze',
  description: 'Shows a snoozed problem on the overview again.',
  effect: 'write',
  roles: ['syncer', 'rules', 'admin', 'administrator'],
  weight: 'light',
  at: { page: true },
  input: subjectSchema,
  output: z.object({ status: z.literal('ended') }),
  subject: (input) => keyOf(input),
  async run(subject, { services, caller }) {
    await requireSubject(services, caller, subject);
    if (!(await endSnooze(services, subject, caller.name)))
      throw new AppError('not_found', worded`this problem is not snoozed`);
    return { status: 'ended' as const };
  },
});
