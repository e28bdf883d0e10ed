import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, NativeSelect, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Changes } from '../../parts/changes.tsx';
import { between, type Change } from '../history-filter.ts';

const NOW = '9999';

/** Two moments of one host, side by side. */
export function CompareTimes({ changes }: { readonly changes: readonly Change[] }) {
  const [isOpen, setOpen] = useState(false);
  const times = [...new Set(changes.map(({ time }) => time))];
  const [from, setFrom] = useState(times.at(-1) ?? '');
  const [to, setTo] = useState(NOW);
  if (!isOpen) {
    return (
      <div>
        <Button size="xs" variant="default" onClick={() => setOpen(true)}>
          <Trans>Compare two times…</Trans>
        </Button>
      </div>
    );
  }
  const differences = between(changes, from, to);
  const data = times.map((time) => ({ value: time, label: new Date(time).toLocaleString(i18n.locale) }));
  return (
    <Paper withBorder p="sm" component="section" aria-label={t`Compare two times`}>
      <Stack gap="xs">
        <Group align="flex-end" gap="xs">
          <NativeSelect
            label={t`As it was after`}
            data={data}
            value={from}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
          <NativeSelect
            label={t`And after`}
            data={[{ value: NOW, label: t`now` }, ...data]}
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
          <Button variant="default" onClick={() => setOpen(false)}>
            <Trans>Close</Trans>
          </Button>
        </Group>
        <div aria-live="polite">
          {differences.length === 0 ? (
            <Text size="sm" c="dimmed">
              {to <= from ? t`Choose a later second time.` : t`Nothing differs between them.`}
            </Text>
          ) : (
            <Changes caption={t`Differences between the two times`} changes={differences} />
          )}
        </div>
      </Stack>
    </Paper>
  );
}
