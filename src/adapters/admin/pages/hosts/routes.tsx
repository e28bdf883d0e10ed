import { createRoute } from '@tanstack/react-router';
import type { FunctionComponent } from 'react';
import { Allowed } from '../parts/allowed.tsx';
import { shellRoute } from '../shell/shell-route.tsx';
import { HostPage } from './host-page.tsx';
import { HostsPage } from './hosts-page.tsx';
import { NewHostPage } from './new-host-page.tsx';
import { hostSearch, hostsSearch, newHostSearch } from './search.ts';

/** The page for who may see hosts. */
function forHosts(Content: FunctionComponent): FunctionComponent {
  return function ForHosts() {
    return (
      <Allowed operation="search/search-hosts" title="Hosts">
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
