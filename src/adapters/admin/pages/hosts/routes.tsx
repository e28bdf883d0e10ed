import { t } from '@lingui/core/macro';
import { createRoute } from '@tanstack/react-router';
import { Allowed } from '../parts/allowed.tsx';
import { type LazyPage, lazyPage, showing } from '../parts/lazy-page.tsx';
import { shellRoute } from '../shell/shell-route.tsx';
import { compareSearch, hostSearch, hostsSearch, newHostSearch, qualitySearch, reportSearch } from './search.ts';

const ComparePage = lazyPage(() => import('./compare/compare-page.tsx').then((module) => module.ComparePage));
const HostPage = lazyPage(() => import('./host-page.tsx').then((module) => module.HostPage));
const HostsPage = lazyPage(() => import('./hosts-page.tsx').then((module) => module.HostsPage));
const QualityPage = lazyPage(() => import('./quality/quality-page.tsx').then((module) => module.QualityPage));
const ReportPage = lazyPage(() => import('./report/report-page.tsx').then((module) => module.ReportPage));
const NewHostPage = lazyPage(() => import('./new-host-page.tsx').then((module) => module.NewHostPage));

/** Shows the page to users who may see hosts. */
function forHosts(Content: LazyPage): LazyPage {
  return showing(function ForHosts() {
    return (
      <Allowed operation="search/search-hosts" title={t`Hosts`}>
        <Content />
      </Allowed>
    );
  }, Content);
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
    path: '/hosts/compare',
    component: forHosts(ComparePage),
    validateSearch: compareSearch,
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/hosts/quality',
    component: showing(
      () => (
        <Allowed operation="search/report-quality" title={t`Data quality`}>
          <QualityPage />
        </Allowed>
      ),
      QualityPage,
    ),
    validateSearch: qualitySearch,
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/hosts/report',
    component: forHosts(ReportPage),
    validateSearch: reportSearch,
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
