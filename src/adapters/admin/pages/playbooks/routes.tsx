import { createRoute } from '@tanstack/react-router';
import { Allowed } from '../parts/allowed.tsx';
import { shellRoute } from '../shell/shell-route.tsx';
import { PlaybooksPage } from './playbooks-page.tsx';
import { RunPage } from './run-page.tsx';

const WHOM = 'users with the role automation';

const runRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/playbooks/runs/$run',
  component: function ShownRun() {
    const { run } = runRoute.useParams();
    return (
      <Allowed roles={['automation']} title="Playbook run" whom={WHOM}>
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
      <Allowed roles={['automation']} title="Playbooks" whom={WHOM}>
        <PlaybooksPage />
      </Allowed>
    ),
  }),
  runRoute,
] as const;
