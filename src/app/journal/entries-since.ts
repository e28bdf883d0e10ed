import type { LogEntry, LogStore } from '../../ports/index.ts';

const PAGE = 100;

/** Yields all log entries since a moment, those of one component if it is named, newest first, a page at a time. */
export async function* entriesSince(logs: LogStore, since: Date, source?: string): AsyncGenerator<readonly LogEntry[]> {
  let before: LogEntry | undefined;
  for (;;) {
    const page = await logs.latest({
      limit: PAGE,
      ...(source === undefined ? {} : { source }),
      ...(before === undefined ? {} : { before }),
    });
    const recent = page.filter(({ at }) => at >= since);
    if (recent.length > 0) yield recent;
    before = page.at(-1);
    if (recent.length < PAGE || before === undefined) return;
  }
}
