import type { ScheduledTask } from '../../ports/index.ts';
import type { KernelServices } from '../kernel/services.ts';

/**
 * A part of the program outside its core. Its operations are those of its folder. Without it in `src/main/features.ts` the
 * program has none of it at any entrance; its stored data stays.
 */
export interface Feature<Services = KernelServices> {
  /** The name of its folder in `src/app`. */
  readonly id: string;
  /** Its members of the services, each made at its first use. `services` must not be called before. */
  readonly services?: (services: () => Services) => Readonly<Record<string, () => unknown>>;
  /** Returns the work that the service does on its own from time to time. */
  tasks?(services: Services): Promise<readonly ScheduledTask[]>;
}

/**
 * Declares a feature, with what it adds to rooms of the core (`UpkeepParts`, `RunParts`, `UserParts`) and the services that it works with.
 * Modules that few commands need are loaded by the functions that use them.
 */
export function feature<Parts extends object = object, Services = KernelServices>(
  declaration: Feature<Services> & Parts,
): Feature<Services> & Parts {
  return declaration;
}
