import { t } from '@lingui/core/macro';
import { createRoute } from '@tanstack/react-router';
import { Allowed } from '../parts/allowed.tsx';
import { lazyPage, showing } from '../parts/lazy-page.tsx';
import { shellRoute } from '../shell/shell-route.tsx';

const NotificationsPage = lazyPage(() => import('./notifications-page.tsx').then((module) => module.NotificationsPage));

export const notificationsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/notifications',
    component: showing(
      () => (
        <Allowed operation="notifications/list-notifications" title={t`Notifications`}>
          <NotificationsPage />
        </Allowed>
      ),
      NotificationsPage,
    ),
  }),
] as const;
