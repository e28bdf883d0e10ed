import { t } from '@lingui/core/macro';
import { may, useSession } from '../calls/session.ts';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { ActiveRuns } from './active-runs.tsx';
import { PastRuns } from './past-runs.tsx';
import { UpcomingRuns } from './upcoming-runs.tsx';

/** Everything that works: now, until now, and from now on. */
export function RunsPage() {
  const session = useSession();
  return (
    <Page
      title={t`Runs`}
      description={t`Imports, exports, plans, cron groups and playbooks: what runs, what ran, what comes next`}
    >
      {may(session, 'runs/list-active') && (
        <Section title={t`Running now`}>
          <ActiveRuns />
        </Section>
      )}
      {may(session, 'cron/list-upcoming') && (
        <Section title={t`Coming up`}>
          <UpcomingRuns />
        </Section>
      )}
      <Section title={t`Past runs`}>
        <PastRuns />
      </Section>
    </Page>
  );
}
