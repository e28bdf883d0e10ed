import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { may, useSession } from '../calls/session.ts';
import { Problem } from '../parts/problem.tsx';
import { Section } from '../parts/section.tsx';
import { NeedRow } from './need.tsx';
import { NEED_SOURCES } from './need-sources.tsx';

/** More are a click away. */
const MOST = 8;

/** Everything that wants somebody, in one list. Green only when all of it was asked for and nothing was found. */
export function NeedsPanel() {
  const session = useSession();
  const [showsAll, setShowsAll] = useState(false);
  // biome-ignore lint/correctness/useHookAtTopLevel: the list is always the same
  const looked = NEED_SOURCES.map(({ operation, useNeeds }) => useNeeds(may(session, operation)));
  const asked = looked.flatMap((source) => source.of);
  const isAsking = asked.some(({ isLoading }) => isLoading);
  const failed = asked.find(({ isError }) => isError);
  const needs = looked.flatMap((source) => source.needs);
  const setUp = looked.flatMap(({ isSetUp }) => isSetUp ?? []);
  // A person who may see none of what tells it cannot know.
  const isSetUp = setUp.length === 0 || setUp.includes(true);
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
