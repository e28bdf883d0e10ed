import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Group, Text } from '@mantine/core';
import { IconListSearch, IconPencil } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { NamedValues } from '../../parts/named-values.tsx';
import type { Host, Labels } from '../host.ts';
import { NO_ACCOUNT } from '../no-account.ts';
import { PanelTitle } from '../panel-title.tsx';
import { Correct, LabelValue, useCorrections, useMayCorrect } from './corrections.tsx';
import { EditLabels } from './edit-labels.tsx';

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
      {isEditing ? <EditLabels host={host} onEnd={() => setEditing(false)} /> : <LabelTable host={host} />}
    </section>
  );
}

function LabelTable({ host }: { readonly host: Host }) {
  const { hostname, labels } = host;
  const corrections = useCorrections(host);
  const mayCorrect = useMayCorrect(host);
  const only = [...corrections.keys()].filter((name) => !Object.hasOwn(labels, name));
  const entries: [string, Labels[string] | undefined][] = [
    ...Object.entries(labels),
    ...only.map((name): [string, undefined] => [name, undefined]),
  ].sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) {
    return (
      <Text c="dimmed" size="sm">
        <Trans>It has no labels.</Trans>
      </Text>
    );
  }
  return (
    <NamedValues
      label={t`Labels of this host`}
      rows={entries.map(([name, value]) => ({
        key: name,
        name,
        value: <LabelValue hostname={hostname} name={name} value={value} correction={corrections.get(name)} />,
        act: (
          <Group gap={2} justify="flex-end" wrap="nowrap">
            {mayCorrect && <Correct hostname={hostname} name={name} value={value} correction={corrections.get(name)} />}
            {value !== undefined && <SameLabel name={name} value={value} />}
          </Group>
        ),
      }))}
      actsWidth={mayCorrect ? 72 : 44}
    />
  );
}

/** Links to the hosts with the same label, if a search can express it. */
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
