import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { Section } from '../parts/section.tsx';
import type { Account } from './option-fields.ts';

/** A value by a name that no schema describes, as a form holds it. */
export interface FreeValue {
  readonly key: number;
  readonly name: string;
  readonly value: string;
  readonly stored: boolean;
}

interface FreeValuesProps {
  readonly values: readonly FreeValue[];
  readonly onChange: (values: readonly FreeValue[]) => void;
  readonly hint: string;
}

/** Values by names that no schema describes. */
export function FreeValues({ values, onChange, hint }: FreeValuesProps) {
  const put = (key: number, change: Partial<FreeValue>): void =>
    onChange(values.map((row) => (row.key === key ? { ...row, ...change } : row)));
  return (
    <Section title={t`Further values`}>
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
        {values.map(({ key, name, value, stored }) => (
          <Group key={key} wrap="nowrap" align="flex-end">
            <TextInput
              label={t`Name`}
              value={name}
              onChange={({ currentTarget }) => put(key, { name: currentTarget.value })}
              style={{ flex: 1 }}
            />
            <TextInput
              label={t`Value`}
              value={value}
              placeholder={stored ? t`stored; enter a new one` : ''}
              onChange={({ currentTarget }) => put(key, { value: currentTarget.value })}
              style={{ flex: 2 }}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={name === '' ? t`Remove this value` : t`Remove ${name}`}
              onClick={() => onChange(values.filter((row) => row.key !== key))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        ))}
        <div>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} />}
            onClick={() => onChange([...values, { key: nextKey(values), name: '', value: '', stored: false }])}
          >
            <Trans>Add a value</Trans>
          </Button>
        </div>
      </Stack>
    </Section>
  );
}

function nextKey(values: readonly FreeValue[]): number {
  return Math.max(0, ...values.map(({ key }) => key)) + 1;
}

/** The stored values that no schema describes; secrets are not among them. */
export function freeValues(account: Account | undefined, known: ReadonlySet<string>): readonly FreeValue[] {
  const entries = Object.entries(account?.options ?? {}).filter(([name]) => !known.has(name));
  return entries.map(([name, value], index) => {
    const stored = account?.secret_options.includes(name) === true;
    return { key: index + 1, name, value: stored ? '' : value, stored };
  });
}

/** Returns empty texts for removed or renamed values; an unchanged stored secret is left out. */
export function freeChanges(
  account: Account | undefined,
  free: readonly FreeValue[],
  known: ReadonlySet<string>,
): Readonly<Record<string, string>> {
  const before = Object.entries(account?.options ?? {}).filter(([name]) => !known.has(name));
  const left = new Set(free.map(({ name }) => name));
  const removed = before.filter(([name]) => !left.has(name)).map(([name]) => [name, ''] as const);
  const stored = new Map(before);
  const given = free
    .filter((row) => row.name !== '' && !(row.stored && row.value === '') && (stored.get(row.name) ?? '') !== row.value)
    .map(({ name, value }) => [name, value] as const);
  return Object.fromEntries([...removed, ...given]);
}
