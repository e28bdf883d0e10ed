import { createRoute, redirect } from '@tanstack/react-router';
import { lazyPage } from '../parts/lazy-page.tsx';
import { preferences } from '../parts/preferences.ts';
import { shellRoute } from '../shell/shell-route.tsx';

const OverviewPage = lazyPage(() => import('./overview-page.tsx').then((module) => module.OverviewPage));

/** True until the first page of this tab is known: from then on the overview is where its link leads. */
let isFirst = true;

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/',
    component: OverviewPage,
    beforeLoad({ preload }) {
      const { start } = preferences();
      const leads = isFirst && !preload && start !== '/';
      isFirst = false;
      if (leads) throw redirect({ href: start, replace: true });
    },
  }),
] as const;
