import { createRoute } from '@tanstack/react-router';
import { shellRoute } from '../shell/shell-route.tsx';
import { OverviewPage } from './overview-page.tsx';

export const overviewRoutes = [
  createRoute({ getParentRoute: () => shellRoute, path: '/', component: OverviewPage }),
] as const;
