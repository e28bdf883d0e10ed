import type { Caller } from '../kernel/caller.ts';
import type { Progress } from '../kernel/operation.ts';
import type { LastLook, News } from './decisions/happening.ts';
import type { PastRun } from './past/past-run.ts';
import type { RunServices } from './services.ts';

/** A run at its place in the list. `run` is absent where the caller may not see it. */
export interface Placed {
  readonly at: Date;
  readonly id: string;
  readonly run: PastRun | undefined;
}

/** Reads runs of a kind, newest first, older than `before`. */
export type ReadPastRuns = (request: {
  limit: number;
  before?: { at: Date; id: string };
}) => Promise<readonly Placed[]>;

/** The caller of a search, and the operation for the audit log. */
export interface HostSearchCall {
  readonly services: RunServices;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly operation: string;
  progress(now: Progress): void;
}

/** Finds all hosts of a search in the reach of the caller. Throws if it cannot decide for every host. */
export type HostSearch = (
  search: { readonly where: string; readonly provider: string },
  call: HostSearchCall,
) => Promise<{
  readonly hostnames: ReadonlySet<string>;
  /** True if the search asks for groups or served values. */
  readonly asksInventory: boolean;
}>;

/** The parts that a feature adds to the list of past runs and to notifications. */
export interface RunParts {
  readonly pastRuns?: readonly {
    readonly kind: PastRun['kind'];
    /** The role without which a caller sees none of them. */
    readonly role: string;
    /** Whether they belong to an account, so that they are asked for by one. */
    readonly ofAccount: boolean;
    read(services: RunServices, caller: Caller): ReadPastRuns;
  }[];
  /** Finds the hosts of a search, for features that act on hosts. */
  readonly hostsOfSearch?: HostSearch;
  /** Returns the events since the last look. The same event may be reported again. */
  news?(services: RunServices, last: LastLook): Promise<News>;
}
