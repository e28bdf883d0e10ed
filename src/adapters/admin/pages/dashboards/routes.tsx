import { t } from '@lingui/core/macro';
import { createRoute } from '@tanstack/react-router';
import { Allowed } from '../parts/allowed.tsx';
import { lazyPage, showing } from '../parts/lazy-page.tsx';
import { shellRoute } from '../shell/shell-route.tsx';

const DashboardPage = lazyPage(() => import('./dashboard-page.tsx').then((module) => module.DashboardPage));

const page = showing(
  () => (
    <Allowed operation="search/list-saved-searches" title={t`Dashboards`}>
      <DashboardPage />
    </Allowed>
  ),
  DashboardPage,
);

export const dashboardsRoutes = [
  createRoute({ getParentRoute: () => shellRoute, path: '/dashboards', component: page }),
  createRoute({ getParentRoute: () => shellRoute, path: '/dashboards/$name', component: page }),
] as const;
