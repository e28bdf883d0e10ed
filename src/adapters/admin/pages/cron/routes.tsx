import { t } from '@lingui/core/macro';
import { createRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Allowed } from '../parts/allowed.tsx';
import { lazyPage, showing } from '../parts/lazy-page.tsx';
import { textParam } from '../parts/search-params.ts';
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

/** Initial values of its first job. */
interface NewGroupSearch {
  readonly account?: string;
  readonly command?: 'Import' | 'Export';
}

const newRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/cron/new',
  validateSearch: (search: Record<string, unknown>): NewGroupSearch => {
    const account = textParam(search.account);
    return account === undefined ? {} : { account, command: search.command === 'Export' ? 'Export' : 'Import' };
  },
  component: showing(function NewGroup() {
    return (
      <ForSyncers>
        <NewGroupPage {...newRoute.useSearch()} />
      </ForSyncers>
    );
  }, NewGroupPage),
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
  newRoute,
  groupRoute,
  editRoute,
] as const;
