import type { Caller } from '../kernel/caller.ts';
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
  /** Returns the events since the last look. The same event may be reported again. */
  news?(services: RunServices, last: LastLook): Promise<News>;
}
