import * as z from 'zod';
import type { LogEntry } from '../../../ports/index.ts';
import { detailsFor, logAnswer, logEntrySchema } from '../log-answer.ts';
import { anyContains, pageOfLog, placeSchema, sinceSchema } from '../log-pages.ts';
import { momentsFor } from '../moments.ts';
import { defineOperation } from '../services.ts';
import { visibleEntries } from '../visible-logs.ts';

const LATEST = 100;

export const listLogs = defineOperation({
  name: 'syncer/list-logs',
  title: 'Log',
  description: 'The latest entries of the log, newest first.',
  effect: 'read',
  roles: ['syncer'],
  weight: 'light',
  at: {
    rest: {
      path: 'GET /syncer/logs',
      answer: ({ entries }) => ({ result: entries }),
      output: z.object({ result: z.array(logEntrySchema) }),
    },
    tool: { name: 'get_recent_logs' },
    page: true,
  },
  input: z.object({
    source: z.string().optional().describe('Only entries of this component'),
    errors: z.boolean().default(false).describe('Only entries with errors'),
    text: z.string().optional().describe('Only entries that contain this text, in any case'),
    since: sinceSchema.optional(),
    before: placeSchema.optional(),
    limit: z.coerce.number().int().min(1).max(10_000).default(LATEST),
  }),
  output: z.object({
    entries: z.array(logEntrySchema),
    next: z.string().nullable().describe('Start of older entries; null when there are none'),
  }),
  async run({ source, errors, text = '', since, before, limit }, { services, caller }) {
    const written = momentsFor(services.config, caller);
    const matches = (entry: LogEntry): boolean =>
      (!errors || entry.hasError) &&
      (text === '' ||
        anyContains([entry.message, entry.source, ...detailsFor(entry, caller).map((detail) => detail.message)], text));
    const page = await pageOfLog((request) => visibleEntries(services, caller, { ...request, source }), {
      limit,
      before,
      since: since === undefined ? undefined : new Date(since),
      matches: errors || text !== '' ? matches : undefined,
    });
    return { entries: page.entries.map((entry) => logAnswer(entry, caller, written)), next: page.next };
  },
});
