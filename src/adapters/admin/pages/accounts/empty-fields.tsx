import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert } from '@mantine/core';

interface EmptyFieldsProps {
  readonly names: readonly string[];
  /** That were written, or would be. */
  readonly hosts: number;
}

/** Columns that somebody named and that no host has anything for. */
export function EmptyFields({ names, hosts }: EmptyFieldsProps) {
  if (names.length === 0) return null;
  const list = names.join(', ');
  const all = plural(hosts, { one: 'the one host', other: 'all # hosts' });
  return (
    <Alert
      color="yellow"
      py="xs"
      title={names.length === 1 ? t`Column ${list} is empty for ${all}` : t`Columns ${list} are empty for ${all}`}
    >
      <Trans>
        Either the name is misspelt, or a rule renames or removes it; Variables of a host shows what it has.
      </Trans>
    </Alert>
  );
}
