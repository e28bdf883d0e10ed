import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Table, Text } from '@mantine/core';
import { IconListSearch, IconPencil } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { numberText } from '../../language/numbers.ts';
import { Value } from '../../parts/value.tsx';
import type { Host, Labels } from '../host.ts';
import { NO_ACCOUNT } from '../no-account.ts';
import { PanelTitle } from '../panel-title.tsx';
import { EditLabels } from './edit-labels.tsx';

const SHOWN = 200;
const TOP = { verticalAlign: 'top' } as const;

interface LabelsPanelProps {
  readonly host: Host;
  readonly mayEdit: boolean;
}

/** The labels of a host, to read and to edit. */
export function LabelsPanel({ host, mayEdit }: LabelsPanelProps) {
  const [isEditing, setEditing] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) edit.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  const { labels, is_shared: isShared, account } = host;
  const owner = account?.name ?? NO_ACCOUNT;
  return (
    <section aria-label={t`Labels`}>
      <PanelTitle title={t`Labels`} count={Object.keys(labels).length}>
        {mayEdit && !isEditing && (
          <Button
            ref={edit}
            size="xs"
            variant="default"
            aria-keyshortcuts="e"
            leftSection={<IconPencil size={14} aria-hidden />}
            onClick={() => setEditing(true)}
          >
            <Trans>Edit labels</Trans>
          </Button>
        )}
      </PanelTitle>
      {isShared && (
        <Text size="sm" c="dimmed">
          <Trans>Other accounts lay labels over those of account {owner}; Explain says which are whose.</Trans>
          {isEditing && ` ${t`You edit the labels of its own account.`}`}
        </Text>
      )}
      {isEditing ? <EditLabels host={host} onEnd={() => setEditing(false)} /> : <LabelTable labels={labels} />}
    </section>
  );
}

function LabelTable({ labels }: { readonly labels: Labels }) {
  const [isWhole, setWhole] = useState(false);
  const entries = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) {
    return (
      <Text c="dimmed" size="sm">
        <Trans>It has no labels.</Trans>
      </Text>
    );
  }
  const shown = isWhole ? entries : entries.slice(0, SHOWN);
  const count = numberText(entries.length);
  return (
    <>
      <Table verticalSpacing={3} horizontalSpacing="xs" layout="fixed" aria-label={t`Labels of this host`}>
        <Table.Tbody>
          {shown.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={400} w="35%" ta="left" className="wrap-anywhere" style={TOP}>
                {name}
              </Table.Th>
              <Table.Td>
                <Value value={value} />
              </Table.Td>
              <Table.Td w={44} ta="right">
                <SameLabel name={name} value={value} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {entries.length > shown.length && (
        <Button size="xs" variant="subtle" onClick={() => setWhole(true)}>
          <Trans>Show all {count} labels</Trans>
        </Button>
      )}
    </>
  );
}

/** Leads to the hosts that have the same, where a search can say it. */
function SameLabel({ name, value }: { readonly name: string; readonly value: Labels[string] }) {
  const isSearchable =
    !name.includes('=') && value !== null && typeof value !== 'object' && !/^\*|\*$/.test(String(value));
  const search = `${name}=${value}`;
  if (!isSearchable || search.length > 200) return null;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={t`Find hosts with ${search}`}
      title={t`Find hosts with ${search}`}
      renderRoot={(props) => <Link {...props} to="/hosts" search={{ search }} />}
    >
      <IconListSearch size={15} aria-hidden />
    </ActionIcon>
  );
}
