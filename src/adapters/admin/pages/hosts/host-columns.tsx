import { t } from '@lingui/core/macro';
import { Badge, Box, Text } from '@mantine/core';
import type { Column } from '../parts/data-table.tsx';
import { valueText } from '../parts/value-text.ts';
import { When } from '../parts/when.tsx';
import { ARCHIVE_REASONS } from './archive-words.ts';
import type { FoundHost } from './host.ts';
import { HostLink } from './host-link.tsx';
import { LabelChips } from './label-chips.tsx';
import { NO_ACCOUNT } from './no-account.ts';

/** Longer names are broken into lines. */
const LONG_NAME = 48;

/** The fields that are not answered with each host as it is, and have to be asked for. */
export function fieldsToAsk(fields: readonly string[]): readonly string[] {
  return fields.filter((field) => !Object.hasOwn(KNOWN, field));
}

/** The hostname, and a column for each field. `wanted` is the label that the query asks for first. */
export function hostColumns(fields: readonly string[], wanted: string | undefined): readonly Column<FoundHost>[] {
  const columns = fields.map((field): Column<FoundHost> => {
    if (field === 'labels') {
      return { id: field, header: t`Labels`, cell: ({ labels }) => <LabelChips labels={labels} first={wanted} /> };
    }
    const known = Object.hasOwn(KNOWN, field) ? KNOWN[field] : undefined;
    const cell = (host: FoundHost) => <FieldValue value={host.values?.[field]} />;
    return { id: field, sortField: field, header: field, cell, ...known };
  });
  return [{ id: 'name', sortField: 'name', header: t`Hostname`, cell: hostnameCell }, ...columns];
}

const KNOWN: Readonly<Record<string, Pick<Column<FoundHost>, 'header' | 'cell'>>> = {
  account: { header: t`Account`, cell: ({ account }) => account ?? NO_ACCOUNT },
  type: { header: t`Type`, cell: ({ object_type: type }) => type },
  archived: { header: t`Archived`, cell: archivedCell },
  seen: { header: t`Last seen`, cell: (host) => <Moment at={host.last_seen} /> },
  changed: { header: t`Last update`, cell: (host) => <Moment at={host.last_update} /> },
  labels: { header: t`Labels`, cell: () => null },
};

function FieldValue({ value }: { readonly value: unknown }) {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return <Moment at={value} />;
  const text = Array.isArray(value)
    ? value.map(String).join(', ')
    : typeof value === 'string'
      ? value
      : valueText(value);
  return (
    <Text size="sm" className="wrap-anywhere" lineClamp={3} title={text}>
      {text}
    </Text>
  );
}

function hostnameCell({ hostname, object_type: type }: FoundHost) {
  const isLong = hostname.length > LONG_NAME;
  return (
    <Box miw={isLong ? 260 : 0} {...(isLong ? {} : { style: { whiteSpace: 'nowrap' } })}>
      <HostLink hostname={hostname} />
      {type !== 'host' && (
        <Badge ml="xs" variant="light" color="gray" radius="sm" tt="none" fw={400}>
          {type}
        </Badge>
      )}
    </Box>
  );
}

function Moment({ at }: { readonly at: string | false }) {
  return (
    <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
      <When at={at} />
    </Text>
  );
}

function archivedCell({ archived }: FoundHost) {
  if (archived === null) return t`no`;
  return (
    <Text size="sm" miw={130}>
      <When at={archived.at} />, {ARCHIVE_REASONS[archived.by]}
    </Text>
  );
}
