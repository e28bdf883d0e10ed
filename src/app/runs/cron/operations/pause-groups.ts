import * as z from 'zod';
import { phrase, worded } from '../../../../kit/worded.ts';
import { counted } from '../../../../kit/words/amounts.ts';
import { plainSecondsOf } from '../../../../kit/words/moment.ts';
import { AppError } from '../../../../ports/index.ts';
import { appendApiLog } from '../../../journal/api-log.ts';
import { wholeAccountsOf } from '../../../kernel/caller.ts';
import { spanOf } from '../../../rules/engine/time-span.ts';
import { defineOperation } from '../../services.ts';
import { setPause } from '../change-group.ts';
import { requireGroup } from '../request-run.ts';

const GROUPS = { groups: { shown: '[group...]', description: 'names of the groups; all when absent' } } as const;

export const pauseCronGroups = defineOperation({
  name: 'cron/pause-groups',
  title: 'Pause cron groups',
  description:
    'Holds cron groups, or all of them, until a moment, or ends their pause. Active runs continue; runs requested meanwhile start afterwards.',
  effect: 'write',
  roles: ['syncer'],
  weight: 'light',
  at: {
    rest: { path: 'POST /syncer/cron/pause', body: 'required', errors: ['read_only', 'not_found', 'conflict'] },
    command: [
      {
        words: 'cron pause',
        description:
          'Hold cron groups until a moment: their schedules do not start them, and what webhooks and others request runs afterwards. Runs that have begun go on.',
        summary: 'hold cron groups until a moment',
        arguments: GROUPS,
        options: {
          until: {
            flags: '--until <when>',
            description: 'end of the pause: +4h, +2d, or a time such as 2026-10-11T02:00+02:00; of UTC without a zone',
            required: true,
          },
        },
        json: 'answer the groups as JSON',
        examples: ['muster cron pause --until +4h', 'muster cron pause nightly hourly --until 2026-10-11T02:00+02:00'],
        view: ({ groups, paused_until }, print) =>
          print.note(`${counted(groups.length, 'cron group')} paused until ${paused_until} UTC.`),
      },
      {
        words: 'cron resume',
        description: 'End the pause of cron groups.',
        arguments: GROUPS,
        fixed: { until: null },
        json: 'answer the groups as JSON',
        examples: ['muster cron resume'],
        view: ({ groups }, print) => print.note(`${counted(groups.length, 'cron group')} not paused any more.`),
      },
    ],
    tool: { name: 'pause_cron_groups', idempotent: true },
    page: true,
  },
  input: z.object({
    groups: z
      .array(z.string().min(1))
      .min(1, phrase`name at least one cron group`)
      .max(1000)
      .transform((names) => [...new Set(names)])
      .optional()
      .describe('Names of the groups; absent for all'),
    until: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .nullable()
      .describe('End of the pause: +4h, +2d, or an ISO 8601 time, of UTC without a zone; null ends it now'),
  }),
  output: z.object({
    paused_until: z.string().nullable().describe('YYYY-MM-DD HH:MM:SS, UTC; null: not paused'),
    groups: z.array(z.string()),
  }),
  subject: ({ groups }) => (groups === undefined ? 'all' : groups.slice(0, 20).join(', ')),
  async run({ groups: names, until }, { services, caller }) {
    const end = until === null ? null : momentOf(until, services.clock.now());
    const groups =
      names === undefined
        ? await services.cronGroups.list(wholeAccountsOf(caller))
        : await Promise.all(names.map((name) => requireGroup(services, caller, name)));
    const actor = { kind: 'user', name: caller.name } as const;
    const changed: string[] = [];
    for (const { id, name } of groups) if (await setPause(services, id, actor, end)) changed.push(name);
    const paused_until = end === null ? null : plainSecondsOf(end);
    if (changed.length > 0 && caller.entrance !== 'cli') {
      const values = { groups: changed.slice(0, 20).join(', '), user: caller.name };
      const message =
        paused_until === null
          ? worded`The pause of cron groups ended, as ${{ user: values.user }} asked: ${{ groups: values.groups }}`
          : worded`Cron groups are paused until ${{ until: paused_until }} UTC, as ${{ user: values.user }} asked: ${{ groups: values.groups }}`;
      await appendApiLog(services, { message, address: caller.address });
    }
    return { paused_until, groups: changed };
  },
});

/** @throws AppError `invalid_input` for a text that is not a future moment */
function momentOf(text: string, now: Date): Date {
  const at = spanOf(text, now)?.from;
  // Shown to the second, so it ends at one.
  if (at !== undefined && at > now.getTime()) return new Date(Math.ceil(at / 1000) * 1000);
  throw new AppError(
    'invalid_input',
    worded`until must be a time to come, such as +4h or 2026-10-11T02:00+02:00, not ${{ given: JSON.stringify(text) }}`,
  );
}
