import type { Clock, IncompleteRuns, LogDetail, LogEntry, Logger, LogStore } from '../../ports/index.ts';
import { secondsOf } from '../words/moment.ts';
import { incompleteText, RUN_STATUS_WORDS } from './words.ts';

/** What went through an account: hosts into the store, or out of it. */
export type RunKind = 'import' | 'export';

/** The ident that an account's imports or exports log under. */
export function runLogSource(kind: RunKind, account: string): string {
  return `${kind}:${account}`;
}

/** The component that a group's runs log as. */
export function groupLogSource(name: string): string {
  return `cron:${name}`;
}

/** What the report of every run says. */
export interface RunReport {
  readonly status: 'done' | 'partial' | 'failed';
  /** One line for people. */
  readonly message: string;
}

export interface RunLogDeps {
  readonly logs: LogStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** 24 hex digits, new each time. */
  newId(): string;
}

interface EndedRun {
  readonly kind: RunKind;
  readonly account: string;
  readonly report: RunReport;
  readonly details: LogDetail[];
  /** Whether it did all that it was to do with what is not there any more; absent: unless it failed. */
  readonly isComplete?: boolean;
}

/** Writes the entry of a run that has ended. A log that cannot be written takes nothing back of what the run did. */
export async function appendRunLog({ logs, clock, logger, newId }: RunLogDeps, run: EndedRun): Promise<void> {
  const { kind, account, report, isComplete = report.status !== 'failed' } = run;
  try {
    const at = clock.now();
    const entry = runLogEntry({ id: newId(), at }, run);
    if (isComplete) return await logs.append(entry);
    const [before] = await logs.latest({ limit: 1, source: entry.source });
    const incomplete = oneMore(before, at);
    const line: LogDetail = { level: 'info', message: incompleteText(incomplete), incomplete };
    await logs.append({ ...entry, details: [...entry.details, line] });
  } catch (error) {
    logger.error('the log entry of a run could not be written', { kind, account, error });
  }
}

/** The runs that were not complete, as the newest entry of an account's imports or exports tells; `undefined` when it was complete. */
export function incompleteRunsOf({ details }: LogEntry): IncompleteRuns | undefined {
  return details.find(({ incomplete }) => incomplete !== undefined)?.incomplete;
}

/** With the run that ends now. What the one before says is enough: no further entry is read, however long it goes on. */
function oneMore(before: LogEntry | undefined, at: Date): IncompleteRuns {
  const known = before === undefined ? undefined : incompleteRunsOf(before);
  if (known !== undefined) return { ...known, runs: known.runs + 1 };
  return { since: secondsOf(at), runs: 1, lastComplete: before === undefined ? null : secondsOf(before.at) };
}

function runLogEntry(
  { id, at }: Pick<LogEntry, 'id' | 'at'>,
  { kind, account, report, details: more }: EndedRun,
): LogEntry {
  const { status, message } = report;
  const details: LogDetail[] = status === 'failed' ? [{ level: 'error', message }, ...more] : more;
  return {
    id,
    at,
    message: `${kind === 'import' ? 'Import' : 'Export'} of ${account} ${RUN_STATUS_WORDS[status]}: ${message}`,
    source: runLogSource(kind, account),
    details,
    hasError: details.some(({ level }) => level === 'error'),
  };
}
