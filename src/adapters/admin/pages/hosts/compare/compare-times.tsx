import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, NativeSelect, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Changes } from '../../parts/changes.tsx';
import { exactText } from '../../parts/moments.ts';
import { usePreferences } from '../../parts/preferences.ts';
import { between, type Change } from '../history-filter.ts';

const NOW = '9999';
/** Before any change that is known. */
const BEFORE = '';

interface CompareTimesProps {
  /** Newest first. */
  readonly changes: readonly Change[];
}

/** Two moments of one host, side by side, behind a button. */
export function CompareTimes({ changes }: CompareTimesProps) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <ComparedTimes changes={changes} onClose={() => setOpen(false)} />;
  return (
    <div>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        <Trans>Compare two times…</Trans>
      </Button>
    </div>
  );
}

interface ComparedTimesProps extends CompareTimesProps {
  /** Absent if it is not folded. */
  readonly onClose?: () => void;
}

/** Two moments of one host, side by side. */
export function ComparedTimes({ changes, onClose }: ComparedTimesProps) {
  const times = [...new Set(changes.map(({ time }) => time))];
  const [from, setFrom] = useState((times.length > 1 && times.at(-1)) || BEFORE);
  const [to, setTo] = useState(NOW);
  const { zone } = usePreferences();
  const differences = between(changes, from, to);
  const data = times.map((time) => ({ value: time, label: exactText(time, zone) }));
  return (
    <Paper withBorder p="sm" component="section" aria-label={t`Compare two times`}>
      <Stack gap="xs">
        <Group align="flex-end" gap="xs">
          <NativeSelect
            label={t`As it was after`}
            data={[...data, { value: BEFORE, label: t`all that came before these` }]}
            value={from}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
          <NativeSelect
            label={t`And after`}
            data={[{ value: NOW, label: t`now` }, ...data]}
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
          {onClose !== undefined && (
            <Button variant="default" onClick={onClose}>
              <Trans>Close</Trans>
            </Button>
          )}
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
