import type { ExtensionServices } from '../../app/extensions/services.ts';
import type { LoginServices } from '../../app/logins/services.ts';
import type { MaintenanceServices } from '../../app/maintenance/services.ts';
import type { RunServices } from '../../app/runs/services.ts';

/** Services that the operations of all rooms use together. */
export interface Services extends RunServices, LoginServices, MaintenanceServices, ExtensionServices {
  readonly anonymousRefusals: RunServices['anonymousRefusals'];
  readonly audit: RunServices['audit'];
  readonly cronGroups: RunServices['cronGroups'];
  readonly features: MaintenanceServices['features'] & RunServices['features'];
}
