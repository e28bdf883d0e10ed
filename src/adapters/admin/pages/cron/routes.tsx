import { t } from '@lingui/core/macro';
import { createRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Allowed } from '../parts/allowed.tsx';
import { lazyPage, showing } from '../parts/lazy-page.tsx';
import { shellRoute } from '../shell/shell-route.tsx';

const EditGroupPage = lazyPage(() => import('./edit-pages.tsx').then((module) => module.EditGroupPage));
const NewGroupPage = lazyPage(() => import('./edit-pages.tsx').then((module) => module.NewGroupPage));
const GroupPage = lazyPage(() => import('./group-page.tsx').then((module) => module.GroupPage));
const GroupsPage = lazyPage(() => import('./groups-page.tsx').then((module) => module.GroupsPage));

const groupRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/cron/$group',
  component: showing(function ShownGroup() {
    const { group } = groupRoute.useParams();
    return (
      <ForSyncers>
        <GroupPage key={group} name={group} />
      </ForSyncers>
    );
  }, GroupPage),
});

const editRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/cron/$group/edit',
  component: showing(function EditedGroup() {
    const { group } = editRoute.useParams();
    return (
      <ForSyncers>
        <EditGroupPage key={group} name={group} />
      </ForSyncers>
    );
  }, EditGroupPage),
});

function ForSyncers({ children }: { readonly children: ReactNode }) {
  return (
    <Allowed operation="cron/list-groups" title={t`Cron groups`}>
      {children}
    </Allowed>
  );
}

export const cronRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/cron',
    component: showing(
      () => (
        <ForSyncers>
          <GroupsPage />
        </ForSyncers>
      ),
      GroupsPage,
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/cron/new',
    component: showing(
      () => (
        <ForSyncers>
          <NewGroupPage />
        </ForSyncers>
      ),
      NewGroupPage,
    ),
  }),
  groupRoute,
  editRoute,
] as const;
