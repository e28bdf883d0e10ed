/** Level of a detail line; `error` marks the whole entry. */
export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

export interface LogDetail {
  readonly level: LogLevel;
  readonly message: string;
}

/** One entry of the log that operators read: an import run, a cron group, a webhook. */
export interface LogEntry {
  /** 24 hex digits. */
  readonly id: string;
  readonly at: Date;
  readonly message: string;
  /** The component that speaks: an account's importer, `API`, a job. */
  readonly source: string;
  readonly details: readonly LogDetail[];
  /** True as soon as one detail is on level `error`. */
  readonly hasError: boolean;
}

export interface LogStore {
  append(entry: LogEntry): Promise<void>;
  /** Newest first (by time, then id descending), at most `limit`; of one source when it is given. */
  latest(request: { readonly limit: number; readonly source?: string }): Promise<readonly LogEntry[]>;
  /** Deletes entries older than the date, but never the newest one of a source. Answers the count. */
  prune(before: Date): Promise<number>;
}
