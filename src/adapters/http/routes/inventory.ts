import { listProviders } from '../../../app/operations/inventory/list-providers.ts';
import { renderInventory } from '../../../app/operations/inventory/render-inventory.ts';
import { type OperationRoute, route } from '../route.ts';

const basePath = '/api/v1/inventory/automation';

/** Existing inventory clients use the other two paths; they answer exactly as the first one does. */
const PATHS = [basePath, '/api/v1/inventory/ansible', '/api/v1/ansible/inventory'];

export const inventoryRoutes: readonly OperationRoute[] = PATHS.flatMap((path) => [
  route(listProviders, { method: 'GET', path, basePath, alias: path !== basePath }),
  route(renderInventory, {
    method: 'GET',
    path: `${path}/:provider`,
    basePath,
    query: { host: { kind: 'text', description: 'Only the variables of this host' } },
    tagsMember: 'known_tags',
    cacheControl: 'private, no-cache',
    errors: ['not_found', 'failed'],
    alias: path !== basePath,
  }),
]);
