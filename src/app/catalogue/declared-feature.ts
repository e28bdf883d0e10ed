import type { MaintenanceServices } from '../maintenance/services.ts';
import type { UpkeepParts } from '../maintenance/upkeep-parts.ts';
import type { PastRunParts } from '../runs/past/past-run-parts.ts';
import type { RunServices } from '../runs/services.ts';

/** What features work with. */
type FeatureServices = RunServices & MaintenanceServices;

/** Something that the service does by itself from time to time. */
interface Task {
  readonly name: string;
  readonly everySeconds: number;
  run(services: FeatureServices, signal: AbortSignal): Promise<void>;
}

/**
 * A part of the program beside its core. Its operations are those of its folder. Without it in `src/main/features.ts` the program
 * has none of it at any entrance; what it stored stays.
 */
export interface Feature extends UpkeepParts, PastRunParts {
  /** The name of its folder in `src/app`. */
  readonly id: string;
  /** Its members of the services, each made at its first use. `services` must not be called before. */
  readonly services?: (services: () => FeatureServices) => Readonly<Record<string, () => unknown>>;
  readonly tasks?: readonly Task[];
}

/** Declares a feature. Modules that few commands need are loaded by the functions that use them. */
export function feature(declaration: Feature): Feature {
  return declaration;
}
