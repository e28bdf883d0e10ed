import type { WordingParts } from './errors.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { Logger } from './logger.ts';
import type { LogDetail } from './records/log-store.ts';

/** The input of a job for one run. */
export interface JobRun {
  /** Name of the account that the job is for; absent when it names none. */
  readonly account?: string;
  /** Aborts when the service stops or the run was lost to another node. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /**
   * Runs an operation of Muster by its name, such as `imports/import-account`, with the rights of the scheduler: validated and
   * audited like every call. Throws what the operation throws, and `AppError('not_found')` for an unknown name.
   */
  operation(name: string, input: JsonObject): Promise<JsonValue>;
}

export interface JobOutcome {
  /** One line for people: what was done. */
  readonly message: string;
  /** The parts of the message, for pages in other languages; absent: it is shown as it is. */
  readonly wording?: WordingParts;
  /** True when the job did not do what it is for, without having thrown. */
  readonly failed?: boolean;
  readonly details?: readonly LogDetail[];
}

/** A name by which the groups of another program, from which an installation moves here, call a job. */
export interface JobName {
  /** Letter by letter; found in any case. */
  readonly name: string;
  /** Names that monitoring of such an installation looks for in the log; a run of the job is found under the first. */
  readonly logsAs: readonly string[];
  /** The id of the job that does it here, such as `Import`. Absent: a job that a plugin registers under exactly this name. */
  readonly job?: string;
  /** The system it works with; absent for a job that needs none. The account may hold settings for it. */
  readonly system?: JobSystem;
  /** Why there is nothing to do: a run succeeds and says so. There is no `job` then. */
  readonly nothing?: string;
}

/** A system that jobs work with, and the type of its accounts: without a source or target of that type, its jobs wait for a plugin. */
export interface JobSystem {
  readonly title: string;
  readonly accountType: string;
}

/** Work that cron groups do on a schedule or on request. */
export interface JobType {
  /** The command that jobs of a group name, such as `Maintenance`. */
  readonly id: string;
  /** Other spellings, in any case. */
  readonly aliases: readonly string[];
  /** Further spellings that follow a pattern, such as one for each source. */
  isAlias?(command: string): boolean;
  readonly description: string;
  /** `optional`: does without, and is handed the one that the group names. */
  readonly account: 'required' | 'optional' | 'none';
  /**
   * True if the job reads and changes only hosts of its account. Groups of other jobs are hidden from users restricted to
   * accounts.
   */
  readonly withinAccount?: true;
  /** A job that throws failed; its message is what the operators read. Must end early when the signal aborts. */
  run(run: JobRun): Promise<JobOutcome>;
}
