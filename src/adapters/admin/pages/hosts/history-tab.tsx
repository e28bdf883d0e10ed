import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { Changes } from '../parts/changes.tsx';
import { When } from '../parts/when.tsx';

type Change = OfferedOutput<'hosts/host-history'>['changes'][number];

const STEPS = [25, 100, 1000] as const;
const SHOWN_VALUES = 20;

/** Who changed what at a host, and when; newest first. */
export function HistoryTab({ hostname }: { readonly hostname: string }) {
  const [limit, setLimit] = useState<number>(STEPS[0]);
  const history = useAnswer('hosts/host-history', { hostname, limit });
  const more = STEPS.find((step) => step > limit);
  return (
    <Answer of={history}>
      {({ changes }) => (
        <Stack gap="sm">
          {changes.length === 0 && <Text c="dimmed">Nothing is recorded about this host.</Text>}
          {changes.map((change, index) => (
            // Several changes may be of one second and kind; the list only grows at its end.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <ChangePaper key={`${change.time} ${index}`} change={change} />
          ))}
          {changes.length === limit && more !== undefined && (
            <Button variant="default" size="xs" onClick={() => setLimit(more)} loading={history.isPlaceholderData}>
              Show older changes
            </Button>
          )}
        </Stack>
      )}
    </Answer>
  );
}

function ChangePaper({ change: { time, kind, by, changes } }: { readonly change: Change }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? changes : changes.slice(0, SHOWN_VALUES);
  return (
    <Paper withBorder px="md" py="xs" component="article" aria-label={`${kind}, ${time}`}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          <Text span inherit fw={600}>
            {kind}
          </Text>{' '}
          by {by.replace(':', ' ')}
        </Text>
        <Text size="sm" c="dimmed" title={time}>
          <When at={time} />
        </Text>
      </Group>
      {shown.length > 0 && <Changes caption="Values before and after" changes={shown} />}
      {changes.length > shown.length && (
        <Button size="compact-xs" variant="subtle" onClick={() => setWhole(true)}>
          Show all {changes.length.toLocaleString('en')} values
        </Button>
      )}
    </Paper>
  );
}
