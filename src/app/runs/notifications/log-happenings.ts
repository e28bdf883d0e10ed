import type { LogEntry, LogStore } from '../../../ports/index.ts';
import { entriesSince } from '../../journal/entries-since.ts';
import { endedGroupOf, endedRunOf } from '../../journal/run-log.ts';
import type { Happening } from './decisions/happening.ts';

/** What nodes write at once comes into the log in another order than its times, so the last minute is looked at again. */
const OVERLAP_MS = 60_000;
const MOST_LINES = 5;

/** What ended since a moment, as the log tells it, oldest first. The log is written behind each run, so nothing has to be told twice. */
export async function logHappenings(logs: LogStore, since: Date): Promise<readonly Happening[]> {
  const found: LogEntry[] = [];
  for await (const page of entriesSince(logs, new Date(since.getTime() - OVERLAP_MS))) found.push(...page);
  return found.reverse().flatMap(happeningsOf);
}

function happeningsOf(entry: LogEntry): readonly Happening[] {
  const { id, at, message } = entry;
  const text = entry.details
    .filter(({ level }) => level === 'error' || level === 'warning')
    .slice(0, MOST_LINES)
    .map((detail) => detail.message)
    .join('\n');
  const base = { at, title: message, text, page: '/runs' };
  const group = endedGroupOf(entry);
  if (group !== undefined) {
    return group.failed ? [{ ...base, id: `log:${id}`, event: 'group_failed', subject: group.name }] : [];
  }
  const run = endedRunOf(entry);
  // That a plan waits is told of the plan.
  if (run === undefined || run.status === 'done' || run.status === 'waiting') return [];
  const event = run.status === 'partial' ? 'run_partial' : 'run_failed';
  const happening: Happening = { ...base, id: `log:${id}`, event, subject: run.account };
  const isThreshold = run.status === 'failed' && /\bthreshold\b/.test(message);
  return isThreshold ? [happening, { ...happening, id: `threshold:${id}`, event: 'threshold' }] : [happening];
}
