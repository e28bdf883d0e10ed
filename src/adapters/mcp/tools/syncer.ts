import * as z from 'zod';
import { logEntrySchema } from '../../../app/journal/log-answer.ts';
import { listLogs } from '../../../app/journal/operations/list-logs.ts';
import { SizeBudget } from '../../../app/kernel/size-budget.ts';
import { groupStatusSchema, statusOf } from '../../../app/runs/cron/group-status.ts';
import { listCronGroups } from '../../../app/runs/cron/operations/list-groups.ts';
import { counted } from '../../../kit/words/amounts.ts';
import { ANSWER_CHARACTERS } from '../answer-limit.ts';
import { type ToolView, toolView } from '../tool.ts';
import { limitSchema, startSchema } from './paging.ts';

const MAX_ENTRIES = 5_000;

export const syncerToolViews: Readonly<Record<string, ToolView>> = {
  [listLogs.name]: toolView(
    z.strictObject({
      limit: limitSchema(MAX_ENTRIES),
      start: startSchema.pipe(z.number().max(MAX_ENTRIES, `must be at most ${MAX_ENTRIES}`)),
    }),
    z.object({ logs: z.array(logEntrySchema) }),
    async ({ limit, start }, call) => {
      if (limit === 0) return { logs: [] };
      const { entries: latest } = await call.whole(listLogs, { limit: start + limit });
      const entries = latest.slice(start);
      const fitting = new SizeBudget(ANSWER_CHARACTERS).fitting(entries);
      if (fitting.length === entries.length) return { logs: fitting };
      // An entry that fills an answer by itself must not stop those behind it.
      const logs = fitting.length > 0 ? fitting : entries.slice(0, 1).map((entry) => ({ ...entry, details: [] }));
      const next = start + logs.length;
      const note = `Cut after ${counted(logs.length, 'entry', 'entries')}, because an answer is limited to ${ANSWER_CHARACTERS} characters. Continue with start=${next}.`;
      return { logs, truncated: { note, next_start: next } };
    },
  ),
  [listCronGroups.name]: toolView(
    z.strictObject({}),
    z.object({ groups: z.array(groupStatusSchema) }),
    async (input, call) => {
      const { groups, ...rest } = await call.value(listCronGroups, input);
      return { ...rest, groups: groups.map(statusOf) };
    },
  ),
};
