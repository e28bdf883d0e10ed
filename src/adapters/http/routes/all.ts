import type { Config } from '../../../app/config/schema.ts';
import type { OperationRoute } from '../route.ts';
import { inventoryRoutes } from './inventory.ts';
import { objectRoutes } from './objects.ts';
import { relationRoutes } from './relations.ts';
import { ruleRoutes } from './rules.ts';
import { syncerRoutes } from './syncer.ts';

/** Every path below /api/v1. */
export function operationRoutes(config: Pick<Config, 'CMDB_MODE'>): readonly OperationRoute[] {
  return [
    ...objectRoutes,
    ...relationRoutes({ cmdbMode: config.CMDB_MODE }),
    ...ruleRoutes,
    ...inventoryRoutes,
    ...syncerRoutes,
  ];
}
