import type { LoginServices } from '../logins/services.ts';
import type { MaintenanceServices } from '../maintenance/services.ts';
import type { RunServices } from '../runs/services.ts';

/** What the operations of all rooms work with together. */
export interface Services extends RunServices, LoginServices, MaintenanceServices {
  readonly cronGroups: RunServices['cronGroups'];
}
