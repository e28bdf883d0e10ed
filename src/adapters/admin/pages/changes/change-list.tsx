import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { makerText } from '../hosts/history-words.ts';
import { HostLink } from '../hosts/host-link.tsx';
import { moreText } from '../language/more-text.ts';
import { numberText } from '../language/numbers.ts';
import { ChangeRows } from '../parts/changes.tsx';
import { usePreferences } from '../parts/preferences.ts';
import { StatusBadge } from '../parts/status-badge.tsx';
import { When } from '../parts/when.tsx';
import { inWords } from './archive-change.ts';
import { equalTogether } from './equal-changes.ts';
import { type HostChange, KIND_WORDS } from './search.ts';

/** Values that a change shows at first. */
const SHOWN_VALUES = 5;
/** Hosts of equal changes that are named at first. */
const SHOWN_HOSTS = 4;

interface ChangeListProps {
  readonly changes: readonly HostChange[];
  /** Hides the author if it is the same for all. */
  readonly hidesBy?: boolean;
  /** Field that was searched for, shown first among the values of a change. */
  readonly field?: string | undefined;
}

/** Changes of hosts in one table: a row for the host, or the hosts that changed in the same way, and the values before and after. */
export function ChangeList({ changes, hidesBy = false, field }: ChangeListProps) {
  if (changes.length === 0) return null;
  return (
    <Table.ScrollContainer minWidth={280} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={t`Changes`} className="change-list" verticalSpacing={2} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="28%">
              <Trans>Field</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Before</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>After</Trans>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        {equalTogether(changes).map((equal, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what happened to one host at one moment has no other identity
          <ShownChange key={`${equal[0].time} ${equal[0].hostname} ${place}`} equal={equal} {...{ hidesBy, field }} />
        ))}
      </Table>
    </Table.ScrollContainer>
  );
}

function fieldFirst(values: HostChange['changes'], field: string | undefined): HostChange['changes'] {
  if (field === undefined) return values;
  const isAsked = ({ path }: HostChange['changes'][number]): boolean => path === field || path === `labels.${field}`;
  return [...values.filter(isAsked), ...values.filter((value) => !isAsked(value))];
}

interface ShownChangeProps {
  readonly equal: readonly [HostChange, ...HostChange[]];
  readonly hidesBy: boolean;
  readonly field: string | undefined;
}

function ShownChange({ equal, hidesBy, field }: ShownChangeProps) {
  const [{ hostname, time, kind, by, changes }] = equal;
  const [isWhole, setWhole] = useState(false);
  const [namesAll, setNamesAll] = useState(false);
  const { zone } = usePreferences();
  const values = fieldFirst(changes, field);
  const shown = isWhole ? values : values.slice(0, SHOWN_VALUES);
  const named = namesAll ? equal : equal.slice(0, SHOWN_HOSTS);
  const others = equal.length > 1 ? [moreText(equal.length - 1)] : [];
  const maker = makerText(by);
  const count = numberText(values.length);
  return (
    <Table.Tbody aria-label={`${[hostname, ...others].join(' ')}: ${KIND_WORDS[kind]}`}>
      <Table.Tr>
        <Table.Th colSpan={3} scope="rowgroup" className="change-of">
          <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
            <Group gap={8} className="wrap-anywhere">
              {named.map((change) => (
                <HostLink key={`${change.time} ${change.hostname}`} hostname={change.hostname} />
              ))}
              {equal.length > named.length && (
                <Button size="compact-xs" variant="subtle" onClick={() => setNamesAll(true)}>
                  {moreText(equal.length - named.length)}
                </Button>
              )}
              <StatusBadge tone={kind === 'archived' ? 'warning' : 'quiet'}>{KIND_WORDS[kind]}</StatusBadge>
              {!hidesBy && (
                <Text span inherit c="dimmed">
                  <Trans>by {maker}</Trans>
                </Text>
              )}
            </Group>
            <Text span inherit c="dimmed" className="one-line">
              <When at={time} />
            </Text>
          </Group>
        </Table.Th>
      </Table.Tr>
      <ChangeRows changes={inWords(shown, zone)} />
      {values.length > shown.length && (
        <Table.Tr>
          <Table.Td colSpan={3}>
            <Button size="compact-xs" variant="subtle" onClick={() => setWhole(true)}>
              <Trans>Show all {count} values</Trans>
            </Button>
          </Table.Td>
        </Table.Tr>
      )}
    </Table.Tbody>
  );
}
