import { createRoute } from '@tanstack/react-router';
import { Allowed } from '../parts/allowed.tsx';
import { shellRoute } from '../shell/shell-route.tsx';
import { PlaybooksPage } from './playbooks-page.tsx';
import { RunPage } from './run-page.tsx';

const runRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/playbooks/runs/$run',
  component: function ShownRun() {
    const { run } = runRoute.useParams();
    return (
      <Allowed operation="playbooks/show-run" title="Playbook run">
        <RunPage key={run} id={run} />
      </Allowed>
    );
  },
});

export const playbooksRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/playbooks',
    component: () => (
      <Allowed operation="playbooks/list-playbooks" title="Playbooks">
        <PlaybooksPage />
      </Allowed>
    ),
  }),
  runRoute,
] as const;
