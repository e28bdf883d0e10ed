import type { FileReach } from './files.ts';

/**
 * Programs of this machine that are run on behalf of a source. Only for accounts for which the operator of the machine vouches
 * for everything that names the programs: a program can do anything, so anyone who can name it, or its input, owns the machine.
 */
export interface SourcePrograms {
  /**
   * Runs a program to its end, without a shell, and gives what it wrote. It leads a group of its own, gets an environment without what
   * the service keeps secret, and is ended with all that it started when its time is over, when it writes more than it may, or when the
   * signal aborts. Throws `AppError('failed')` in words when it cannot be started or was ended; how it ended by itself is for the caller.
   */
  run(call: ProgramCall, context: { readonly signal: AbortSignal }): Promise<ProgramEnd>;
}

export interface ProgramCall {
  /** A name on PATH, or a path; a relative one starts at the working directory of the service. */
  readonly command: string;
  readonly args: readonly string[];
  /** Working directory of the program. */
  readonly directory: string;
  /** Variables in addition to the environment that every program gets. */
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Most bytes that it may write to its output. */
  readonly maxBytes: number;
}

export interface ProgramEnd {
  /** `null` when a signal ended it. */
  readonly exitCode: number | null;
  readonly output: Buffer;
  /** The end of what it wrote to its error output, some thousand characters at most. */
  readonly words: string;
}

/** Programs of this machine, for accounts. */
export interface ProgramAccess {
  sources(reach: FileReach): SourcePrograms;
}
