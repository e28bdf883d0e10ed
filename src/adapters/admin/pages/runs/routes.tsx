import { t } from '@lingui/core/macro';
import { createRoute } from '@tanstack/react-router';
import { Allowed } from '../parts/allowed.tsx';
import { lazyPage, showing } from '../parts/lazy-page.tsx';
import { shellRoute } from '../shell/shell-route.tsx';
import { runsSearch } from './search.ts';

const RunsPage = lazyPage(() => import('./runs-page.tsx').then((module) => module.RunsPage));
const RunPage = lazyPage(() => import('./run-page.tsx').then((module) => module.RunPage));

export const runsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/runs',
    component: showing(
      () => (
        <Allowed operation="runs/list-runs" title={t`Runs`}>
          <RunsPage />
        </Allowed>
      ),
      RunsPage,
    ),
    validateSearch: runsSearch,
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/runs/$place',
    component: showing(
      () => (
        <Allowed operation="runs/show-run" title={t({ message: 'Run', context: 'what ran' })}>
          <RunPage />
        </Allowed>
      ),
      RunPage,
    ),
  }),
] as const;
