import type { WordingParts } from '../../ports/index.ts';
import type { Config } from '../kernel/config/schema.ts';
import type { OperationContext, ValueOperation } from '../kernel/operation.ts';
import type { MaintenanceServices } from './services.ts';

/** A line of `muster doctor`. */
export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly message: string;
  readonly wording?: WordingParts;
  /** Nothing is broken, but it needs attention. */
  readonly warning?: boolean;
  /** Commands that mend it, or show more of it, as a shell takes them. */
  readonly commands?: readonly string[];
  /** The commands need no decision, and `muster doctor --fix` does their work. */
  readonly safe?: true;
}

export type DoctorContext = Pick<OperationContext<MaintenanceServices>, 'services' | 'caller' | 'signal'>;

/** Something that is kept for a number of days. */
interface Prune {
  /** The member of the answer of `muster maintenance` that counts what was removed. */
  readonly figure: string;
  /** The same for people, behind a number: "plans of exports pruned". */
  readonly what: string;
  /** For how many days it is kept. */
  days(config: Config): number;
  /** Removes what is older. Returns how much that was. */
  prune(services: MaintenanceServices, before: Date): Promise<number>;
}

/** A metric that needs attention when it is missing, old or too low. The highest of all nodes counts. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  /** Absent: nothing is shown of it. */
  readonly value: number | undefined;
}

/** Something that waits until people see to it. */
export interface Need {
  readonly what: string;
  readonly message: string;
  /** Shows it, or settles it. */
  readonly command: string;
}

/** Answers an operation as the caller of `muster status` may have it. */
export type Ask = <Input, Output>(operation: ValueOperation<Input, Output>, input: unknown) => Promise<Output>;

/** The contributions of a feature to doctor, status, maintenance and metrics. */
export interface UpkeepParts {
  /** Checks of the doctor. `hasStorage` is false if the storage did not start. Each fault is a finding, not an error. */
  readonly checks?: readonly ((context: DoctorContext, hasStorage: boolean) => Promise<readonly Finding[]>)[];
  /** Returns the items that `muster status` lists, in the order of the features. */
  attention?(ask: Ask): Promise<readonly Need[]>;
  readonly prunes?: readonly Prune[];
  /** Looked at once a minute at most. */
  gauges?(services: MaintenanceServices): Promise<readonly Gauge[]>;
}
