import * as z from 'zod';
import { defineOperation } from '../../runs/services.ts';
import { keepSnooze, keyOf, requireSubject, snoozeSchema, subjectSchema } from '../snooze.ts';

const HOUR_MS = 3_600_000;
/** Longer is forgotten. */
const MOST_HOURS = 7 * 24;

export const snoozeProblem = defineOperation({
  name: 'snoozes/snooze-problem',
  title: 'Snooze a problem',
  description:
    'Keeps a known problem off the overview for some hours, 7 days at most, or until it gets worse. Metrics, alerts and notifications go on.',
  effect: 'write',
  roles: ['syncer', 'rules', 'admin', 'administrator'],
  weight: 'light',
  at: { page: true },
  input: subjectSchema.extend({
    hours: z.coerce.number().int().min(1).max(MOST_HOURS).describe('For how long'),
    severity: z.coerce.number().int().min(0).describe('How bad it is now: the snooze ends when it is worse'),
  }),
  output: snoozeSchema,
  subject: (input) => keyOf(input),
  async run({ kind, name, hours, severity }, { services, caller }) {
    await requireSubject(services, caller, { kind, name });
    const until = new Date(services.clock.now().getTime() + hours * HOUR_MS).toISOString();
    const snooze = { kind, name, severity, until, by: caller.name };
    await keepSnooze(services, snooze);
    return snooze;
  },
});
