import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Skeleton, Text } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { may, useSession } from '../calls/session.ts';
import { Answer } from '../parts/answer.tsx';
import { TextLink } from '../parts/links.tsx';
import { Section } from '../parts/section.tsx';
import { type Days, useDays } from './days.ts';

const HostsOverTime = lazy(async () => ({ default: (await import('./hosts-over-time.tsx')).HostsOverTime }));

/** Hosts day by day. */
export function HostsSection() {
  const session = useSession();
  const days = useDays();
  return (
    <Section title={t`Hosts over time`}>
      <Answer of={days}>{(answer) => <Content answer={answer} />}</Answer>
      {may(session, 'search/report-quality') && (
        <Group>
          <TextLink size="sm" to="/hosts/quality">
            <Trans>Data quality: labels, duplicates, unseen hosts</Trans>
          </TextLink>
        </Group>
      )}
    </Section>
  );
}

function Content({ answer }: { readonly answer: Days }) {
  const last = answer.days.at(-1);
  if (answer.days.length > 1) return <InView answer={answer} />;
  return (
    <Text size="sm" c="dimmed">
      {last === undefined
        ? t`There are no hosts yet. They are counted after each import and every hour.`
        : t`Counting started today. The chart appears tomorrow.`}
    </Text>
  );
}

/** The chart is loaded when it comes into view, so that the page itself appears at once. */
function InView({ answer }: { readonly answer: Days }) {
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const [wasSeen, setWasSeen] = useState(false);
  if (inViewport && !wasSeen) setWasSeen(true);
  const pending = <Skeleton h={300} role="status" aria-label={t`Loading`} />;
  return (
    <div ref={ref}>
      {wasSeen ? (
        <Suspense fallback={pending}>
          <HostsOverTime answer={answer} />
        </Suspense>
      ) : (
        pending
      )}
    </div>
  );
}
