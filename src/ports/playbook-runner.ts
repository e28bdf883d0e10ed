import type { JsonObject } from './json.ts';

/** Variables that are laid over those of the inventory. */
export interface ExtraVariables {
  readonly values: JsonObject;
  /** If true, the playbook evaluates template text in them, so their author must be trusted with that. */
  readonly templates: boolean;
}

export interface PlaybookCall {
  /** The playbook's file, as the catalogue names it. */
  readonly playbook: string;
  readonly provider: string;
  /** `null` runs it for the whole inventory, or for `hostnames`. */
  readonly hostname: string | null;
  /** Runs it for exactly these hosts of the inventory. */
  readonly hostnames?: readonly string[];
  /** True only says what would change. */
  readonly checkMode: boolean;
  readonly extraVariables: ExtraVariables | null;
}

/** Runs playbooks as processes of their own. */
export interface PlaybookRunner {
  /** Throws `AppError('failed')` with what to do when the program cannot be started at all. */
  check(signal: AbortSignal): Promise<void>;

  /**
   * Runs one playbook to its end and answers its exit code, `null` when a signal ended it. No shell sees any of the call. When
   * the signal aborts, the process and everything that it started is ended, and the answer comes when that is done. Throws
   * `AppError('failed')` when the program cannot be started.
   */
  run(
    call: PlaybookCall,
    options: { readonly signal: AbortSignal; onOutput(text: string): void },
  ): Promise<{ readonly exitCode: number | null }>;
}
