import { createRoute } from '@tanstack/react-router';
import type { FunctionComponent } from 'react';
import { Allowed } from '../parts/allowed.tsx';
import { shellRoute } from '../shell/shell-route.tsx';
import { HostPage } from './host-page.tsx';
import { HostsPage } from './hosts-page.tsx';
import { NewHostPage } from './new-host-page.tsx';
import { hostSearch, hostsSearch, newHostSearch } from './search.ts';

/** The page for who holds the role. */
function forHosts(Content: FunctionComponent): FunctionComponent {
  return function ForHosts() {
    return (
      <Allowed roles={['objects']} title="Hosts" whom="users with the role objects">
        <Content />
      </Allowed>
    );
  };
}

export const hostsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/hosts',
    component: forHosts(HostsPage),
    validateSearch: hostsSearch,
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/hosts/new',
    component: forHosts(NewHostPage),
    validateSearch: newHostSearch,
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/hosts/$hostname',
    component: forHosts(HostPage),
    validateSearch: hostSearch,
  }),
] as const;
