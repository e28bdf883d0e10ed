import type { MaintenanceServices } from '../maintenance/services.ts';
import type { RunServices } from '../runs/services.ts';

/** What the operations of all rooms work with together. */
export interface Services extends RunServices, MaintenanceServices {
  readonly cronGroups: RunServices['cronGroups'];
}
