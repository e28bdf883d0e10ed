import { t } from '@lingui/core/macro';
import { createRoute } from '@tanstack/react-router';
import { Allowed } from '../parts/allowed.tsx';
import { lazyPage, showing } from '../parts/lazy-page.tsx';
import { shellRoute } from '../shell/shell-route.tsx';

const PlaybooksPage = lazyPage(() => import('./playbooks-page.tsx').then((module) => module.PlaybooksPage));
const RunPage = lazyPage(() => import('./run-page.tsx').then((module) => module.RunPage));

const runRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/playbooks/runs/$run',
  component: showing(function ShownRun() {
    const { run } = runRoute.useParams();
    return (
      <Allowed operation="playbooks/show-run" title={t`Playbook run`}>
        <RunPage key={run} id={run} />
      </Allowed>
    );
  }, RunPage),
});

export const playbooksRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/playbooks',
    component: showing(
      () => (
        <Allowed operation="playbooks/list-playbooks" title={t`Playbooks`}>
          <PlaybooksPage />
        </Allowed>
      ),
      PlaybooksPage,
    ),
  }),
  runRoute,
] as const;
