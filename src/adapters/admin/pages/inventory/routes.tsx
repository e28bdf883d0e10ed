import { createRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Allowed } from '../parts/allowed.tsx';
import { startParam, textParam } from '../parts/search-params.ts';
import { shellRoute } from '../shell/shell-route.tsx';
import { InventoryHostPage } from './inventory-host-page.tsx';
import { InventoryPage } from './inventory-page.tsx';
import { ProvidersPage } from './providers-page.tsx';

type PageComponent = () => ReactNode;

/** The page for who may see inventories. */
function forInventory(Content: PageComponent): PageComponent {
  return function ForInventory() {
    return (
      <Allowed operation="inventory/list-providers" title="Inventory">
        <Content />
      </Allowed>
    );
  };
}

export const inventoryRoutes = [
  createRoute({ getParentRoute: () => shellRoute, path: '/inventory', component: forInventory(ProvidersPage) }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/inventory/$provider',
    component: forInventory(InventoryPage),
    validateSearch: (
      search: Record<string, unknown>,
    ): { search?: string | undefined; group?: string | undefined; start?: number | undefined } => ({
      search: textParam(search.search),
      group: textParam(search.group),
      start: startParam(search.start),
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
