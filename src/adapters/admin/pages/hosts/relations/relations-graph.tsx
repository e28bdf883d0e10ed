import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Alert, Box, Button, Group, SegmentedControl, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useAnswer } from '../../calls/use-call.ts';
import { Answer } from '../../parts/answer.tsx';
import { HostLink } from '../host-link.tsx';
import { GraphOfHosts } from './graph-of-hosts.tsx';

interface RelationsGraphProps {
  readonly hostname: string;
  readonly hasRelations: boolean;
}

/** Shows the hosts around this one as a drawing; the lists below it contain the same for the first step. */
export function RelationsGraph({ hostname, hasRelations }: RelationsGraphProps) {
  const [middle, setMiddle] = useState(hostname);
  const [hops, setHops] = useState(2);
  const [chosen, setChosen] = useState(hostname);
  const [isWalked, setWalked] = useState(false);
  const graph = useAnswer('relations/show-graph', { hostname: middle, hops }, { enabled: hasRelations });
  if (!hasRelations) return null;

  function walk(to: string): void {
    setMiddle(to);
    setChosen(to);
    setWalked(true);
  }

  return (
    <section aria-labelledby="relations-graph">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="relations-graph">
          <Trans>Graph</Trans>
        </Title>
        <Group gap="xs">
          {middle !== hostname && (
            <Button size="compact-sm" variant="default" onClick={() => walk(hostname)}>
              <Trans>Back to {hostname}</Trans>
            </Button>
          )}
          <SegmentedControl
            size="xs"
            aria-label={t`Steps from the host`}
            data={[
              { value: '1', label: t`One step` },
              { value: '2', label: t`Two steps` },
            ]}
            value={String(hops)}
            onChange={(value) => setHops(Number(value))}
          />
        </Group>
      </Group>
      <Answer of={graph}>
        {(data) => (
          <Box aria-busy={graph.isPlaceholderData}>
            <GraphOfHosts key={hops} graph={data} hasFocus={isWalked} onChoose={setChosen} onWalk={walk} />
            {data.more && (
              <Alert color="gray" p="xs" mt="xs">
                <MoreRelations count={data.edges.length} />
              </Alert>
            )}
            <Group gap="xs" mt="xs" mih={30}>
              <Text size="sm" aria-live="polite">
                <ChosenHost hostname={chosen} isMiddle={chosen === middle} edges={data.edges} />
              </Text>
              {chosen !== middle && (
                <Button size="compact-xs" variant="default" onClick={() => walk(chosen)}>
                  <Trans>Put it in the middle</Trans>
                </Button>
              )}
            </Group>
            <Text size="xs" c="dimmed">
              <Trans>
                Click a host, or walk with the arrow keys; Enter puts it in the middle. The keys + and - zoom, 0 shows
                the whole graph.
              </Trans>
            </Text>
          </Box>
        )}
      </Answer>
    </section>
  );
}

function MoreRelations({ count }: { readonly count: number }) {
  return (
    <Trans>
      There are more than <Plural value={count} one="# relation" other="# relations" />; these are some of them. One
      step shows fewer.
    </Trans>
  );
}

interface ChosenHostProps {
  readonly hostname: string;
  readonly isMiddle: boolean;
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

function ChosenHost({ hostname, isMiddle, edges }: ChosenHostProps) {
  const count = edges.filter(({ from, to }) => from === hostname || to === hostname).length;
  if (isMiddle) {
    return (
      <Trans>
        <HostLink hostname={hostname} tab="relations" />, in the middle,{' '}
        <Plural value={count} one="# relation" other="# relations" />
      </Trans>
    );
  }
  return (
    <Trans>
      <HostLink hostname={hostname} tab="relations" />, <Plural value={count} one="# relation" other="# relations" />
    </Trans>
  );
}
