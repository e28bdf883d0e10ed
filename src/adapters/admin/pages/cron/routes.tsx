import { createRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Allowed } from '../parts/allowed.tsx';
import { shellRoute } from '../shell/shell-route.tsx';
import { EditGroupPage, NewGroupPage } from './edit-pages.tsx';
import { GroupPage } from './group-page.tsx';
import { GroupsPage } from './groups-page.tsx';

const groupRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/cron/$group',
  component: function ShownGroup() {
    const { group } = groupRoute.useParams();
    return (
      <ForSyncers>
        <GroupPage key={group} name={group} />
      </ForSyncers>
    );
  },
});

const editRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/cron/$group/edit',
  component: function EditedGroup() {
    const { group } = editRoute.useParams();
    return (
      <ForSyncers>
        <EditGroupPage key={group} name={group} />
      </ForSyncers>
    );
  },
});

function ForSyncers({ children }: { readonly children: ReactNode }) {
  return (
    <Allowed operation="cron/list-groups" title="Cron groups">
      {children}
    </Allowed>
  );
}

export const cronRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/cron',
    component: () => (
      <ForSyncers>
        <GroupsPage />
      </ForSyncers>
    ),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/cron/new',
    component: () => (
      <ForSyncers>
        <NewGroupPage />
      </ForSyncers>
    ),
  }),
  groupRoute,
  editRoute,
] as const;
