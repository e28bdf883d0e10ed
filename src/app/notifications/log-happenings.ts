import type { LogEntry, LogLevel, LogStore } from '../../ports/index.ts';
import { entriesSince } from '../journal/entries-since.ts';
import { endedGroupOf, endedRunOf } from '../journal/run-log.ts';
import type { Happening } from '../runs/decisions/happening.ts';

/** What nodes write at once comes into the log in another order than its times, so the last minute is looked at again. */
const OVERLAP_MS = 60_000;
const MOST_LINES = 5;
const TOLD: ReadonlySet<LogLevel> = new Set(['error', 'warning']);
/** Receivers show titles in one line. */
const LONGEST_TITLE = 300;

/** What ended since a moment, as the log tells it, oldest first. The log is written behind each run, so nothing has to be told twice. */
export async function logHappenings(logs: LogStore, since: Date): Promise<readonly Happening[]> {
  const found: LogEntry[] = [];
  for await (const page of entriesSince(logs, new Date(since.getTime() - OVERLAP_MS))) found.push(...page);
  return found.reverse().flatMap(happeningsOf);
}

function happeningsOf(entry: LogEntry): readonly Happening[] {
  const { id, at, message, details } = entry;
  const linesOf = (level: LogLevel) => details.filter((detail) => detail.level === level).map((line) => line.message);
  const base = { at, page: '/runs' };
  const group = endedGroupOf(entry);
  if (group !== undefined) {
    if (!group.failed) return [];
    // Why jobs failed, before what others warned of: the head of the entry does not say it.
    const reasons = linesOf('error');
    const [first] = reasons;
    const title = first === undefined ? message : shortened(`${message}: ${first}`);
    const text = textOf([...reasons, ...linesOf('warning')]);
    return [{ ...base, title, text, id: `log:${id}`, event: 'group_failed', subject: group.name }];
  }
  const run = endedRunOf(entry);
  // That a plan waits is told of the plan.
  if (run === undefined || run.status === 'done' || run.status === 'waiting') return [];
  const event = run.status === 'partial' ? 'run_partial' : 'run_failed';
  const text = textOf(details.flatMap(({ level, message: line }) => (TOLD.has(level) ? line : [])));
  const happening: Happening = { ...base, title: message, text, id: `log:${id}`, event, subject: run.account };
  const isThreshold = run.status === 'failed' && /\bthreshold\b/.test(message);
  return isThreshold ? [happening, { ...happening, id: `threshold:${id}`, event: 'threshold' }] : [happening];
}

function textOf(lines: readonly string[]): string {
  return lines.slice(0, MOST_LINES).join('\n');
}

function shortened(title: string): string {
  return title.length <= LONGEST_TITLE ? title : `${title.slice(0, LONGEST_TITLE - 1)}…`;
}
