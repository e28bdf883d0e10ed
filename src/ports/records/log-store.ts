import type { WordingParts } from '../errors.ts';

/** Level of a detail line; `error` marks the whole entry. */
export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

/** Runs of an account, one after the other, of which none did all that it was to do. Times are ISO 8601. */
export interface IncompleteRuns {
  /** When the first of them ended. */
  readonly since: string;
  readonly runs: number;
  /** When the run before them ended; `null` when there was none. */
  readonly lastComplete: string | null;
  /** The part of the source that they read; absent: all of it. */
  readonly part?: string;
  /** How the newest of them ended, where the entry is that of another part. */
  readonly message?: string;
}

/** From where an account's next import may read only what changed. */
export interface ImportBookmark {
  /** As its source gave it. */
  readonly text: string;
  /** When the newest run began that read everything, ISO 8601. */
  readonly wholeAt: string;
  /** The state of the account that was read. */
  readonly account: string;
  /** The part of the source; absent: all of it. */
  readonly part?: string;
}

/** An import that a run undid. */
export interface UndoneImport {
  /** The id of its entry. */
  readonly id: string;
  /** When it ended, ISO 8601 with milliseconds: the position of its entry. */
  readonly at: string;
  /** When the newest complete import that has not been undone ended, ISO 8601; `null` if none is known. */
  readonly lastComplete: string | null;
}

export interface LogDetail {
  readonly level: LogLevel;
  readonly message: string;
  /** The parts of the message, for pages in other languages; absent: it is shown as it is. */
  readonly wording?: WordingParts;
  /** Present if the run was not complete; the entry's own run is included. */
  readonly incomplete?: IncompleteRuns;
  readonly bookmark?: ImportBookmark;
  readonly undid?: UndoneImport;
  /** The plan that the run of the entry left and did not apply. */
  readonly plan?: string;
  /** When the run of the entry began, ISO 8601. What it did to hosts happened between then and the entry. */
  readonly began?: string;
  /** The numbers of hosts or objects by what happened to them in the run of the entry; zeros may be left out. */
  readonly counts?: Readonly<Record<string, number>>;
  /** How long the run of the entry took. */
  readonly milliseconds?: number;
}

/** One entry of the log that operators read: an import run, a cron group, a webhook. */
export interface LogEntry {
  /** 24 hex digits. */
  readonly id: string;
  readonly at: Date;
  readonly message: string;
  /** The parts of the message, for pages in other languages; absent: it is shown as it is. */
  readonly wording?: WordingParts;
  /** The component that speaks: an account's importer, `API`, a job. */
  readonly source: string;
  readonly details: readonly LogDetail[];
  /** True as soon as one detail is on level `error`. */
  readonly hasError: boolean;
}

/** An entry without its details, for lists of many components. */
export type LogHead = Omit<LogEntry, 'details'>;

/** The place of an entry among those of a log, which are in order of time, then id. */
export interface LogPlace {
  readonly at: Date;
  readonly id: string;
}

export interface LogStore {
  append(entry: LogEntry): Promise<void>;
  /**
   * Newest first (by time, then id descending), at most `limit`; only of one source, if given, and only entries before a place,
   * if given. No entry needs to be at that place.
   */
  latest(request: {
    readonly limit: number;
    readonly source?: string;
    readonly before?: LogPlace;
  }): Promise<readonly LogEntry[]>;
  /** The newest entry of every source, by source. */
  newestBySource(): Promise<readonly LogHead[]>;
  /** Deletes entries older than the date, but never the newest one of a source. Answers the count. */
  prune(before: Date): Promise<number>;
}
