import { Trans } from '@lingui/react/macro';
import { Badge } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { may, useSession } from '../calls/session.ts';
import { useActiveRuns } from '../runs/use-active-runs.ts';

/** Shows the number of active runs, on every page; nothing if there are none. */
export function RunningBadge() {
  const session = useSession();
  const active = useActiveRuns(may(session, 'runs/list-active'));
  const count = active.data?.runs.length ?? 0;
  if (count === 0) return null;
  return (
    <Badge component={Link} to="/runs" color="cyan" variant="light" style={{ cursor: 'pointer' }}>
      <Trans>{count} running</Trans>
    </Badge>
  );
}
