import type { LogEntry, LogStore } from '../../../ports/index.ts';
import { endedGroupOf, endedRunOf } from '../../journal/run-log.ts';
import type { Happening } from './decisions/happening.ts';

const PAGE = 100;
/** What nodes write at once comes into the log in another order than its times, so the last minute is looked at again. */
const OVERLAP_MS = 60_000;
const MOST_LINES = 5;

/** What ended since a moment, as the log tells it, oldest first. The log is written behind each run, so nothing has to be told twice. */
export async function logHappenings(logs: LogStore, since: Date): Promise<readonly Happening[]> {
  const from = since.getTime() - OVERLAP_MS;
  const found: LogEntry[] = [];
  let before: LogEntry | undefined;
  for (;;) {
    const page = await logs.latest({ limit: PAGE, ...(before === undefined ? {} : { before }) });
    const recent = page.filter(({ at }) => at.getTime() >= from);
    found.push(...recent);
    before = page.at(-1);
    if (recent.length < PAGE || before === undefined) break;
  }
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
  if (run === undefined || run.status === 'done') return [];
  const event = run.status === 'partial' ? 'run_partial' : 'run_failed';
  const happening: Happening = { ...base, id: `log:${id}`, event, subject: run.account };
  const isThreshold = run.status === 'failed' && /\bthreshold\b/.test(message);
  return isThreshold ? [happening, { ...happening, id: `threshold:${id}`, event: 'threshold' }] : [happening];
}
