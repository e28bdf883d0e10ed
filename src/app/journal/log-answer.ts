import * as z from 'zod';
import { wordingFor } from '../../kit/worded.ts';
import { plainSecondsOf } from '../../kit/words/moment.ts';
import type { LogEntry } from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';

export const logEntrySchema = z
  .object({
    entry_id: z.string(),
    time: z.string().describe('YYYY-MM-DD HH:MM:SS, UTC unless REST_LOCAL_TIMES is on'),
    message: z.string(),
    source: z.string().describe('The component that wrote it'),
    details: z.array(z.object({ name: z.string().describe('The level'), message: z.string() })),
    has_error: z.boolean(),
  })
  .meta({ title: 'Log entry' });

export function logAnswer(
  entry: LogEntry,
  caller: Pick<Caller, 'entrance'>,
  written = plainSecondsOf,
): z.infer<typeof logEntrySchema> {
  return {
    entry_id: entry.id,
    time: written(entry.at),
    message: entry.message,
    ...wordingFor(caller, entry.wording),
    source: entry.source,
    details: entry.details.map(({ level, message, wording }) => ({
      name: level,
      message,
      ...wordingFor(caller, wording),
    })),
    has_error: entry.hasError,
  };
}
