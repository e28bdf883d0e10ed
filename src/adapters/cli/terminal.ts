import { userInfo } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { environmentVariable } from '../../main/environment.ts';

/** A stream that may be a terminal. */
export type TerminalInput = Readable & { readonly isTTY?: boolean };
export type TerminalOutput = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** False if the user wants none (NO_COLOR), and on terminals without colours. */
  hasColors?(): boolean;
};

/** The part of the process that a command sees, so that tests can replace it. */
export interface Terminal {
  readonly stdin: TerminalInput;
  readonly stdout: TerminalOutput;
  readonly stderr: TerminalOutput;
  readonly workingDirectory: string;
  /** A variable of the environment. */
  variable(name: string): string | undefined;
  /** Name of the person at the terminal, for history and audit. */
  userName(): string;
  /** Aborts when the person wants the command to stop. */
  readonly signal: AbortSignal;
}

export function processTerminal(stdout: TerminalOutput, signal: AbortSignal): Terminal {
  return {
    // Opened only by commands that read it: until this program ends, Node.js makes a pipe non-blocking for its other readers too.
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr: process.stderr,
    workingDirectory: process.cwd(),
    variable: environmentVariable,
    userName: loginName,
    signal,
  };
}

function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that has no name.
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}
