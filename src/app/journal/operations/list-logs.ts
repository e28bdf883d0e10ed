import * as z from 'zod';
import { logAnswer, logEntrySchema } from '../log-answer.ts';
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
  at: { rest: { path: 'GET /syncer/logs' }, tool: { name: 'get_recent_logs' } },
  input: z.object({ limit: z.coerce.number().int().min(1).max(10_000).default(LATEST) }),
  output: z.object({ result: z.array(logEntrySchema) }),
  async run({ limit }, { services, caller }) {
    const written = momentsFor(services.config, caller);
    const entries = await visibleEntries(services, caller, { limit });
    return { result: entries.map((entry) => logAnswer(entry, written)) };
  },
});
