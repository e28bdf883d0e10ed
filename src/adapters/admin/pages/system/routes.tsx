import { t } from '@lingui/core/macro';
import { createRoute } from '@tanstack/react-router';
import { Allowed } from '../parts/allowed.tsx';
import { lazyPage, showing } from '../parts/lazy-page.tsx';
import { choiceParam, textParam } from '../parts/search-params.ts';
import { shellRoute } from '../shell/shell-route.tsx';
import { SYSTEM_TABS, type SystemTab } from './system-tabs.ts';

const SystemPage = lazyPage(() => import('./system-page.tsx').then((module) => module.SystemPage));

interface SystemSearch {
  readonly tab?: SystemTab | undefined;
  /** Text to search the configuration for. */
  readonly find?: string | undefined;
}

export const systemRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/system',
    component: showing(
      () => (
        <Allowed operation="system/run-doctor" title={t`System`}>
          <SystemPage />
        </Allowed>
      ),
      SystemPage,
    ),
    validateSearch: (search: Record<string, unknown>): SystemSearch => ({
      tab: choiceParam(search.tab, SYSTEM_TABS),
      find: textParam(search.find),
    }),
  }),
] as const;
