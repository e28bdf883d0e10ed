import type { Clock, LogDetail, LogEntry, Logger, LogStore } from '../../ports/index.ts';
import { RUN_STATUS_WORDS } from './words.ts';

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

/** Writes the entry of a run that has ended. A log that cannot be written takes nothing back of what the run did. */
export async function appendRunLog(
  { logs, clock, logger, newId }: RunLogDeps,
  run: { readonly kind: RunKind; readonly account: string; readonly report: RunReport; readonly details: LogDetail[] },
): Promise<void> {
  const { kind, account } = run;
  try {
    await logs.append(runLogEntry({ id: newId(), at: clock.now() }, run));
  } catch (error) {
    logger.error('the log entry of a run could not be written', { kind, account, error });
  }
}

function runLogEntry(
  { id, at }: Pick<LogEntry, 'id' | 'at'>,
  { kind, account, report, details: more }: Parameters<typeof appendRunLog>[1],
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
