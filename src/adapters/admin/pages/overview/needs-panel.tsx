import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { isBusy } from '../cron/group-state.tsx';
import { Problem } from '../parts/problem.tsx';
import { Section } from '../parts/section.tsx';
import { useActiveRuns } from '../runs/active-runs.tsx';
import { accountNeeds } from './account-needs.tsx';
import { NeedRow } from './need.tsx';
import { cronNeeds, driftNeeds, planNeeds, ruleNeeds, systemNeeds, waitingNeeds } from './other-needs.tsx';

/** More are a click away. */
const MOST = 8;
const MOST_WAITING = 20;

/** Everything that wants somebody, in one list. Green only when all of it was asked for and nothing was found. */
export function NeedsPanel() {
  const session = useSession();
  const [showsAll, setShowsAll] = useState(false);
  const ofRuns = useAnswer(
    'syncer/list-account-runs',
    {},
    { enabled: may(session, 'syncer/list-account-runs'), everySeconds: 30 },
  );
  const ofCron = useAnswer(
    'cron/list-groups',
    {},
    { enabled: may(session, 'cron/list-groups'), everySeconds: (data) => (data?.groups.some(isBusy) ? 2 : 15) },
  );
  const ofWaiting = useAnswer(
    'rules/list-waiting',
    { limit: MOST_WAITING },
    { enabled: may(session, 'rules/list-waiting'), everySeconds: 30 },
  );
  const ofPlans = useAnswer(
    'plans/list-plans',
    { limit: 50 },
    { enabled: may(session, 'plans/list-plans'), everySeconds: 30 },
  );
  // Finding this out evaluates all hosts, so it is not asked often.
  const ofRules = useAnswer(
    'rules/rule-failures',
    { every_project: true },
    { enabled: may(session, 'rules/rule-failures'), everySeconds: 600, freshSeconds: 300 },
  );
  const ofSystem = useAnswer('system/run-doctor', {}, { enabled: may(session, 'system/run-doctor'), everySeconds: 60 });
  const active = useActiveRuns(may(session, 'runs/list-active'));
  const running = new Set(active.data?.runs.map(({ account }) => account));
  const asked = [ofRuns, active, ofCron, ofWaiting, ofPlans, ofRules, ofSystem];
  const isAsking = asked.some(({ isLoading }) => isLoading);
  const failed = asked.find(({ isError }) => isError);
  const needs = [
    ...waitingNeeds(ofWaiting.data?.waiting ?? []),
    ...accountNeeds(
      // Before it is known what runs, nothing of which that is the first run is said never to have run.
      active.isLoading ? [] : (ofRuns.data?.runs ?? []).filter(({ name }) => !running.has(name)),
      session,
      Date.now(),
    ),
    ...cronNeeds(ofCron.data?.groups ?? [], session),
    ...planNeeds(ofPlans.data?.plans ?? []),
    ...driftNeeds(ofPlans.data?.plans ?? []),
    ...systemNeeds(ofSystem.data?.findings ?? []),
    ...ruleNeeds(ofRules.data?.failures ?? []),
  ];
  const isSetUp =
    (ofRuns.data?.runs.length ?? 0) + (ofCron.data?.groups.length ?? 0) + (ofRules.data?.hosts ?? 0) > 0 ||
    // Who may see neither of them cannot know.
    (ofRuns.data === undefined && ofCron.data === undefined && ofRules.data === undefined);
  return (
    <Section title={needs.length === 0 ? t`Needs attention` : t`Needs attention (${{ count: needs.length }})`}>
      {failed?.error != null && <Problem error={failed.error} retry={() => void failed.refetch()} />}
      {needs.length > 0 && (
        <Stack gap={6} component="ul" className="plain-list">
          {(showsAll ? needs : needs.slice(0, MOST)).map((need) => (
            <NeedRow key={need.key} need={need} />
          ))}
        </Stack>
      )}
      {needs.length > MOST && !showsAll && (
        <Button variant="subtle" size="compact-sm" onClick={() => setShowsAll(true)} style={{ alignSelf: 'start' }}>
          {t`Show ${{ count: needs.length - MOST }} more`}
        </Button>
      )}
      {isAsking && <Skeleton h={24} role="status" aria-label={t`Loading`} />}
      {!isAsking && failed === undefined && needs.length === 0 && !isSetUp && (
        <Text size="sm" c="dimmed">
          <Trans>Nothing is set up yet that could fail.</Trans>
        </Text>
      )}
      {!isAsking && failed === undefined && needs.length === 0 && isSetUp && (
        <Group gap={8} wrap="nowrap">
          <Text span c="green" lh={1}>
            <IconCircleCheck size={20} aria-hidden />
          </Text>
          <Text size="sm">
            <Trans>Everything is all right.</Trans>
          </Text>
        </Group>
      )}
    </Section>
  );
}
