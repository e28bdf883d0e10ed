import type { ScheduledTask } from '../../ports/index.ts';
import type { MaintenanceServices } from '../maintenance/services.ts';
import type { UpkeepParts } from '../maintenance/upkeep-parts.ts';
import type { RunParts } from '../runs/run-parts.ts';
import type { RunServices } from '../runs/services.ts';

/** What features work with. */
type FeatureServices = RunServices & MaintenanceServices;

/**
 * A part of the program beside its core. Its operations are those of its folder. Without it in `src/main/features.ts` the program
 * has none of it at any entrance; what it stored stays.
 */
export interface Feature extends UpkeepParts, RunParts {
  /** The name of its folder in `src/app`. */
  readonly id: string;
  /** Its members of the services, each made at its first use. `services` must not be called before. */
  readonly services?: (services: () => FeatureServices) => Readonly<Record<string, () => unknown>>;
  /** What the service does by itself from time to time. */
  tasks?(services: FeatureServices): Promise<readonly ScheduledTask[]>;
}

/** Declares a feature. Modules that few commands need are loaded by the functions that use them. */
export function feature(declaration: Feature): Feature {
  return declaration;
}
