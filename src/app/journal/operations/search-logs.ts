import * as z from 'zod';
import type { LogEntry } from '../../../ports/index.ts';
import { logAnswer, logEntrySchema } from '../log-answer.ts';
import { anyContains, pageOfLog, placeSchema } from '../log-pages.ts';
import { defineOperation } from '../services.ts';
import { visibleEntries } from '../visible-logs.ts';

export const searchLogs = defineOperation({
  name: 'syncer/search-logs',
  title: 'Search the log',
  description: 'A page of the log, newest first: of one component, with errors only, or with a text in it.',
  effect: 'read',
  roles: ['syncer'],
  weight: 'light',
  at: { page: true },
  input: z.object({
    source: z.string().optional().describe('Only entries of this component'),
    errors: z.boolean().default(false).describe('Only entries with errors'),
    text: z.string().optional().describe('Only entries that contain this text, in any case'),
    before: placeSchema.optional(),
    limit: z.number().int().min(1).max(500).default(50),
  }),
  output: z.object({
    entries: z.array(logEntrySchema),
    next: z.string().nullable().describe('Where older entries begin; null when there are none'),
  }),
  async run({ source, errors, text = '', before, limit }, { services, caller }) {
    const matches = ({ hasError, message, source: from, details }: LogEntry): boolean =>
      (!errors || hasError) &&
      (text === '' || anyContains([message, from, ...details.map((detail) => detail.message)], text));
    const page = await pageOfLog((request) => visibleEntries(services, caller, { ...request, source }), {
      limit,
      before,
      matches: errors || text !== '' ? matches : undefined,
    });
    return { entries: page.entries.map((entry) => logAnswer(entry)), next: page.next };
  },
});
