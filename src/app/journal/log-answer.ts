import * as z from 'zod';
import { messageOf, saidIn, withoutHiddenNames, wordingFor } from '../../kit/worded.ts';
import { plainSecondsOf } from '../../kit/words/moment.ts';
import type { LogDetail, LogEntry } from '../../ports/index.ts';
import { type Caller, isRestricted, type Limits } from '../kernel/caller.ts';

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
  caller: Pick<Caller, 'entrance' | keyof Limits>,
  written = plainSecondsOf,
): z.infer<typeof logEntrySchema> {
  return {
    entry_id: entry.id,
    time: written(entry.at),
    message: entry.message,
    ...wordingFor(caller, entry.wording),
    source: entry.source,
    details: detailsFor(entry, caller).map(({ level, message, wording }) => ({
      name: level,
      message,
      ...wordingFor(caller, wording),
    })),
    has_error: entry.hasError,
  };
}

/** The details of an entry as the caller may read them: a restricted caller reads no names of hosts of other accounts. */
export function detailsFor({ details }: Pick<LogEntry, 'details'>, caller: Limits): readonly LogDetail[] {
  if (!isRestricted(caller)) return details;
  return details.map((detail) => ({ ...detail, ...messageOf(withoutHiddenNames(saidIn(detail))) }));
}
