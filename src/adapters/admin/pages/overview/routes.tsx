import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../parts/lazy-page.tsx';
import { shellRoute } from '../shell/shell-route.tsx';

const OverviewPage = lazyPage(() => import('./overview-page.tsx').then((module) => module.OverviewPage));

export const overviewRoutes = [
  createRoute({ getParentRoute: () => shellRoute, path: '/', component: OverviewPage }),
] as const;
