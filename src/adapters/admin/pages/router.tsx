import { createRouter, RouterProvider } from '@tanstack/react-router';
import { accountsRoutes } from './accounts/routes.tsx';
import { below } from './calls/below.ts';
import { changesRoutes } from './changes/routes.tsx';
import { cronRoutes } from './cron/routes.tsx';
import { dashboardsRoutes } from './dashboards/routes.tsx';
import { hostsRoutes } from './hosts/routes.tsx';
import { inventoryRoutes } from './inventory/routes.tsx';
import { logsRoutes } from './logs/routes.tsx';
import { notificationsRoutes } from './notifications/routes.tsx';
import { overviewRoutes } from './overview/routes.tsx';
import { PageFault } from './parts/page-fault.tsx';
import { PagePending } from './parts/page-pending.tsx';
import { plansRoutes } from './plans/routes.tsx';
import { playbooksRoutes } from './playbooks/routes.tsx';
import { pluginsRoutes } from './plugins/routes.tsx';
import { rulesRoutes } from './rules/routes.tsx';
import { runsRoutes } from './runs/routes.tsx';
import { Overlays } from './shell/overlays.tsx';
import { shellRoute } from './shell/shell-route.tsx';
import { systemRoutes } from './system/routes.tsx';
import { usersRoutes } from './users/routes.tsx';

const routeTree = shellRoute.addChildren([
  ...overviewRoutes,
  ...dashboardsRoutes,
  ...hostsRoutes,
  ...changesRoutes,
  ...accountsRoutes,
  ...rulesRoutes,
  ...inventoryRoutes,
  ...runsRoutes,
  ...plansRoutes,
  ...playbooksRoutes,
  ...cronRoutes,
  ...notificationsRoutes,
  ...logsRoutes,
  ...usersRoutes,
  ...systemRoutes,
  ...pluginsRoutes,
]);

/** Every page, by the rooms that they are in. */
const router = createRouter({
  routeTree,
  basepath: below('/admin'),
  scrollRestoration: true,
  // The script of a page is there when the click comes.
  defaultPreload: 'intent',
  defaultPendingComponent: PagePending,
  // Within the frame: menu and header stay, so that there is a way elsewhere.
  defaultErrorComponent: PageFault,
  InnerWrap: Overlays,
});

/** All pages for a logged-in user. */
export function Pages() {
  return <RouterProvider router={router} />;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
