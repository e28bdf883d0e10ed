import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { makerText } from '../hosts/history-words.ts';
import { HostLink } from '../hosts/host-link.tsx';
import { numberText } from '../language/numbers.ts';
import { Changes } from '../parts/changes.tsx';
import { usePreferences } from '../parts/preferences.ts';
import { StatusBadge } from '../parts/status-badge.tsx';
import { When } from '../parts/when.tsx';
import { inWords } from './archive-change.ts';
import { type HostChange, KIND_WORDS } from './search.ts';

/** Values that a change shows at first. */
const SHOWN_VALUES = 5;

interface ChangeListProps {
  readonly changes: readonly HostChange[];
  /** Hides the author if it is the same for all. */
  readonly hidesBy?: boolean;
  /** Field that was searched for, shown first among the values of a change. */
  readonly field?: string | undefined;
}

/** Changes of hosts, each with its values before and after. */
export function ChangeList({ changes, hidesBy = false, field }: ChangeListProps) {
  return (
    <Stack gap="xs" component="ul" className="plain-list">
      {changes.map((change, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what happened to one host at one moment has no other identity
        <li key={`${change.time} ${change.hostname} ${place}`}>
          <ShownChange change={fieldFirst(change, field)} hidesBy={hidesBy} />
        </li>
      ))}
    </Stack>
  );
}

function fieldFirst(change: HostChange, field: string | undefined): HostChange {
  if (field === undefined) return change;
  const isAsked = ({ path }: HostChange['changes'][number]): boolean => path === field || path === `labels.${field}`;
  const others = change.changes.filter((value) => !isAsked(value));
  return { ...change, changes: [...change.changes.filter(isAsked), ...others] };
}

function ShownChange({ change, hidesBy }: { readonly change: HostChange; readonly hidesBy: boolean }) {
  const { hostname, time, kind, by, changes } = change;
  const [isWhole, setWhole] = useState(false);
  const { zone } = usePreferences();
  const shown = isWhole ? changes : changes.slice(0, SHOWN_VALUES);
  const maker = makerText(by);
  const count = numberText(changes.length);
  return (
    <Paper withBorder px="sm" py={6} component="article" aria-label={`${hostname}: ${KIND_WORDS[kind]}`}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <Text size="sm" className="wrap-anywhere" component="div">
          <Group gap={8} component="span">
            <HostLink hostname={hostname} />
            <StatusBadge tone={kind === 'archived' ? 'warning' : 'quiet'}>{KIND_WORDS[kind]}</StatusBadge>
            {!hidesBy && (
              <Text span inherit c="dimmed">
                <Trans>by {maker}</Trans>
              </Text>
            )}
          </Group>
        </Text>
        <Text size="sm" c="dimmed" className="one-line">
          <When at={time} />
        </Text>
      </Group>
      {shown.length > 0 && (
        <Changes caption={t`Values of ${hostname} before and after`} changes={inWords(shown, zone)} />
      )}
      {changes.length > shown.length && (
        <Button size="compact-xs" variant="subtle" onClick={() => setWhole(true)}>
          <Trans>Show all {count} values</Trans>
        </Button>
      )}
    </Paper>
  );
}
