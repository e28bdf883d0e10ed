/** A server program that somebody else made, and how it is installed and started for tests. */
export interface Recipe {
  readonly name: string;
  /** What it is there for, in a line. */
  readonly about: string;
  /** Packages of Debian and Ubuntu that have it. */
  readonly packages: readonly string[];
  /** Programs that are there once it is installed. */
  readonly programs: readonly string[];
  /** Why it needs root, where it does. */
  readonly rootBecause?: string;
  /** How long its first start may take, where that is much, in minutes. */
  readonly firstStart?: number;
  /** Why a machine that has the programs cannot run it, if so. */
  refusal?(): Promise<string | undefined>;
  /** Starts it, seeded, on the loopback, with everything that it stores in the folder. */
  start(folder: string): Promise<Running>;
}

export interface Running {
  /** Addresses, users, passwords, files: what somebody needs who wants to look at it. */
  readonly facts: Readonly<Record<string, string>>;
  readonly processes: readonly ServerProcess[];
}

/** A process of a server, and the signal that it ends by. */
export interface ServerProcess {
  readonly pid: number;
  readonly signal: NodeJS.Signals;
}
