import { t } from '@lingui/core/macro';
import { createRoute } from '@tanstack/react-router';
import { Allowed } from '../parts/allowed.tsx';
import { type LazyPage, lazyPage, showing } from '../parts/lazy-page.tsx';
import { startParam, textParam } from '../parts/search-params.ts';
import { shellRoute } from '../shell/shell-route.tsx';

const InventoryHostPage = lazyPage(() =>
  import('./inventory-host-page.tsx').then((module) => module.InventoryHostPage),
);
const InventoryPage = lazyPage(() => import('./inventory-page.tsx').then((module) => module.InventoryPage));
const ProvidersPage = lazyPage(() => import('./providers-page.tsx').then((module) => module.ProvidersPage));

/** Shows the page to users who may see inventories. */
function forInventory(Content: LazyPage): LazyPage {
  return showing(function ForInventory() {
    return (
      <Allowed operation="inventory/list-providers" title={t`Inventory`}>
        <Content />
      </Allowed>
    );
  }, Content);
}

export const inventoryRoutes = [
  createRoute({ getParentRoute: () => shellRoute, path: '/inventory', component: forInventory(ProvidersPage) }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/inventory/$provider',
    component: forInventory(InventoryPage),
    validateSearch: (
      search: Record<string, unknown>,
    ): {
      search?: string | undefined;
      group?: string | undefined;
      start?: number | undefined;
      since?: string | undefined;
    } => ({
      search: textParam(search.search),
      group: textParam(search.group),
      start: startParam(search.start),
      // Compares the inventory with that of this time.
      since: textParam(search.since),
    }),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/inventory/$provider/$hostname',
    component: forInventory(InventoryHostPage),
    validateSearch: (search: Record<string, unknown>): { find?: string | undefined } => ({
      find: textParam(search.find),
    }),
  }),
] as const;
