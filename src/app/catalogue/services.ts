import type { ExtensionServices } from '../extensions/services.ts';
import type { LoginServices } from '../logins/services.ts';
import type { MaintenanceServices } from '../maintenance/services.ts';
import type { RunServices } from '../runs/services.ts';

/** What the operations of all rooms work with together. */
export interface Services extends RunServices, LoginServices, MaintenanceServices, ExtensionServices {
  readonly anonymousRefusals: RunServices['anonymousRefusals'];
  readonly audit: RunServices['audit'];
  readonly cronGroups: RunServices['cronGroups'];
}
