import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { has, may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { Problem } from '../parts/problem.tsx';
import { Section } from '../parts/section.tsx';
import { keyOf, type Need, NeedRow, type Snooze } from './need.tsx';
import { NEED_SOURCES } from './need-sources.tsx';

/** More are a click away. */
const MOST = 8;

/** Shows everything that needs attention, in one list. Green only if all of it was checked and nothing was found. */
export function NeedsPanel() {
  const session = useSession();
  const [showsAll, setShowsAll] = useState(false);
  // biome-ignore lint/correctness/useHookAtTopLevel: the list is always the same
  const looked = NEED_SOURCES.map(({ operation, useNeeds }) => useNeeds(may(session, operation)));
  const asked = looked.flatMap((source) => source.of);
  const isAsking = asked.some(({ isLoading }) => isLoading);
  const failed = asked.find(({ isError }) => isError);
  const maySnooze = may(session, 'snoozes/snooze-problem');
  const snoozes = useAnswer(
    'snoozes/list-snoozes',
    {},
    { enabled: has(session, 'snoozes/list-snoozes') && may(session, 'snoozes/list-snoozes'), everySeconds: 30 },
  );
  const [showsSnoozed, setShowsSnoozed] = useState(false);
  const all = byHarm(looked.flatMap((source) => source.needs));
  const snoozed = all.filter((need) => snoozeOf(need, snoozes.data?.snoozes) !== undefined);
  const needs = all.filter((need) => !snoozed.includes(need));
  const setUp = looked.flatMap(({ isSetUp }) => isSetUp ?? []);
  // A user who may see none of the answers cannot know.
  const isSetUp = setUp.length === 0 || setUp.includes(true);
  return (
    <Section title={needs.length === 0 ? t`Needs attention` : t`Needs attention (${{ count: needs.length }})`}>
      {failed?.error != null && <Problem error={failed.error} retry={() => void failed.refetch()} />}
      {needs.length > 0 && (
        <Stack gap={6} component="ul" className="plain-list">
          {(showsAll ? needs : needs.slice(0, MOST)).map((need) => (
            <NeedRow key={keyOf(need.about)} need={need} maySnooze={maySnooze} />
          ))}
        </Stack>
      )}
      {needs.length > MOST && !showsAll && (
        <Button variant="subtle" size="compact-sm" onClick={() => setShowsAll(true)} style={{ alignSelf: 'start' }}>
          {t`Show ${{ count: needs.length - MOST }} more`}
        </Button>
      )}
      {looked.map(({ forAll }) => forAll)}
      {snoozed.length > 0 && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          aria-expanded={showsSnoozed}
          onClick={() => setShowsSnoozed(!showsSnoozed)}
          style={{ alignSelf: 'start' }}
        >
          {showsSnoozed ? t`Hide snoozed` : t`Show ${{ count: snoozed.length }} snoozed`}
        </Button>
      )}
      {showsSnoozed && snoozed.length > 0 && (
        <Stack gap={6} component="ul" className="plain-list" aria-label={t`Snoozed`}>
          {snoozed.map((need) => (
            <NeedRow
              key={keyOf(need.about)}
              need={need}
              maySnooze={maySnooze}
              snooze={snoozeOf(need, snoozes.data?.snoozes)}
            />
          ))}
        </Stack>
      )}
      {isAsking && <Skeleton h={24} role="status" aria-label={t`Loading`} />}
      {!isAsking && failed === undefined && all.length === 0 && !isSetUp && (
        <Text size="sm" c="dimmed">
          <Trans>Nothing is set up yet that could fail.</Trans>
        </Text>
      )}
      {!isAsking && failed === undefined && all.length === 0 && isSetUp && (
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

/** The most harmful first; those that are as bad stay in their order. */
function byHarm(needs: readonly Need[]): readonly Need[] {
  return [...needs.filter(({ tone }) => tone === 'bad'), ...needs.filter(({ tone }) => tone === 'warning')];
}

/** A snooze counts as long as the problem is not worse than it was. */
function snoozeOf({ about, severity }: Need, snoozes: readonly Snooze[] = []): Snooze | undefined {
  return snoozes.find((snooze) => keyOf(snooze) === keyOf(about) && severity <= snooze.severity);
}
