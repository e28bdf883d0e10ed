import { t } from '@lingui/core/macro';
import { Badge, Text } from '@mantine/core';
import type { Column } from '../parts/data-table.tsx';
import { fieldText } from '../parts/value-text.ts';
import { When } from '../parts/when.tsx';
import { ARCHIVE_REASONS } from './archive-words.ts';
import type { FoundHost } from './host.ts';
import { HostLink } from './host-link.tsx';
import { LabelChips } from './label-chips.tsx';
import { NO_ACCOUNT } from './no-account.ts';

/** Returns the fields that are not part of each host's answer, and have to be requested. */
export function fieldsToAsk(fields: readonly string[]): readonly string[] {
  return fields.filter((field) => !Object.hasOwn(KNOWN, field));
}

/** The hostname, and a column for each field. `wanted` is the label that the query asks for first. */
export function hostColumns(fields: readonly string[], wanted: string | undefined): readonly Column<FoundHost>[] {
  const columns = fields.map((field): Column<FoundHost> => {
    if (field === 'labels') {
      return {
        id: field,
        header: t`Labels`,
        cell: ({ labels }) => <LabelChips labels={labels} first={wanted} without={fields} />,
      };
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
  const text = fieldText(value);
  return (
    <Text inherit truncate maw="24rem" title={text}>
      {text}
    </Text>
  );
}

/** One line: longer names are cut at the column, and shown in full on hover. */
function hostnameCell({ hostname, object_type: type }: FoundHost) {
  return (
    <Text inherit component="div" truncate maw="22rem" title={hostname} className="cell-link">
      <HostLink hostname={hostname} />
      {type !== 'host' && (
        <Badge ml="xs" variant="light" color="gray" fw={400}>
          {type}
        </Badge>
      )}
    </Text>
  );
}

function Moment({ at }: { readonly at: string | false }) {
  return (
    <span className="one-line">
      <When at={at} />
    </span>
  );
}

function archivedCell({ archived }: FoundHost) {
  if (archived === null) return t`no`;
  return (
    <span>
      <When at={archived.at} />, {ARCHIVE_REASONS[archived.by]}
    </span>
  );
}
