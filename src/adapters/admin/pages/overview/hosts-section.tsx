import { Group, Skeleton } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { may, useSession } from '../calls/session.ts';
import { TextLink } from '../parts/links.tsx';
import { Section } from '../parts/section.tsx';

const HostsOverTime = lazy(async () => ({ default: (await import('./hosts-over-time.tsx')).HostsOverTime }));

/** Hosts day by day. What draws them is loaded when it comes into view, so that the page itself is there at once. */
export function HostsSection() {
  const session = useSession();
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const [wasSeen, setWasSeen] = useState(false);
  if (inViewport && !wasSeen) setWasSeen(true);
  return (
    <Section title="Hosts over time">
      <div ref={ref}>
        {wasSeen ? (
          <Suspense fallback={<Skeleton h={260} />}>
            <HostsOverTime />
          </Suspense>
        ) : (
          <Skeleton h={260} />
        )}
      </div>
      {may(session, 'search/report-quality') && (
        <Group>
          <TextLink size="sm" to="/hosts/quality">
            Data quality: labels, duplicates, hosts that nobody saw
          </TextLink>
        </Group>
      )}
    </Section>
  );
}
