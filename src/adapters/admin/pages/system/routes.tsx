import { createRoute } from '@tanstack/react-router';
import { Allowed } from '../parts/allowed.tsx';
import { choiceParam, textParam } from '../parts/search-params.ts';
import { shellRoute } from '../shell/shell-route.tsx';
import { SystemPage } from './system-page.tsx';
import { SYSTEM_TABS, type SystemTab } from './system-tabs.ts';

interface SystemSearch {
  readonly tab?: SystemTab | undefined;
  /** What the configuration is searched for. */
  readonly find?: string | undefined;
}

export const systemRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/system',
    component: () => (
      <Allowed operation="system/run-doctor" title="System">
        <SystemPage />
      </Allowed>
    ),
    validateSearch: (search: Record<string, unknown>): SystemSearch => ({
      tab: choiceParam(search.tab, SYSTEM_TABS),
      find: textParam(search.find),
    }),
  }),
] as const;
