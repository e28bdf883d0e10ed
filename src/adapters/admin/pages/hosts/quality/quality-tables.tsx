import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { numberText } from '../../language/numbers.ts';
import { cell } from '../../parts/cells.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { HostLink } from '../host-link.tsx';
import { Found } from './found.tsx';
import type { Quality } from './quality-page.tsx';

type Share = Quality['labels'][number];
type Spelling = Quality['spellings'][number];
type NamedLabels = Quality['label_names'][number];
type Duplicate = Quality['duplicates'][number];

interface TableProps {
  readonly quality: Quality;
}

/** Rows on one page of a table. */
const PAGE_SIZE = 50;

/**
 * Labels that most hosts have first, as the hosts without them are likely gaps; those that all hosts have are last, as nothing is
 * to be done about them.
 */
function mostMissedFirst(labels: readonly Share[], size: number): readonly Share[] {
  const rank = ({ filled }: Share): number => (filled.hosts === size ? -1 : filled.hosts);
  return labels.toSorted((one, other) => rank(other) - rank(one));
}

/** How many hosts have each label. */
export function LabelShares({ quality: { labels, labels_total, size } }: TableProps) {
  const columns = useMemo(() => shareColumns(size), [size]);
  return (
    <>
      <DataTable
        caption={t`Labels`}
        columns={columns}
        rows={useMemo(() => mostMissedFirst(labels, size), [labels, size])}
        rowKey={({ label }) => label}
        inPages={{ of: t`labels`, size: PAGE_SIZE }}
        empty={t`No host has a label.`}
      />
      <Rest shown={labels.length} total={labels_total} />
    </>
  );
}

function shareColumns(size: number): readonly Column<Share>[] {
  return [
    cell.text('label', t`Label`, ({ label }) => label, { sortBy: ({ label }) => label }),
    {
      id: 'share',
      header: t`Share`,
      alignRight: true,
      sortBy: ({ filled }) => filled.hosts,
      cell: ({ filled }) => <ShareBar share={filled.hosts / Math.max(1, size)} />,
    },
    amount(
      'filled',
      t`Filled`,
      (count, label) => t`${plural(count, { one: '# host that has', other: '# hosts that have' })} ${label}`,
    ),
    amount(
      'empty',
      t`Empty`,
      (count, label) => t`${plural(count, { one: '# host', other: '# hosts' })} with an empty ${label}`,
    ),
    amount(
      'missing',
      t`Missing`,
      (count, label) => t`${plural(count, { one: '# host', other: '# hosts' })} without ${label}`,
    ),
  ];
}

function amount(
  id: 'filled' | 'empty' | 'missing',
  header: string,
  what: (count: number, label: string) => string,
): Column<Share> {
  return {
    id,
    header,
    alignRight: true,
    sortBy: (share) => share[id].hosts,
    cell: (share) => <Found of={share[id]} label={(count) => what(count, share.label)} />,
  };
}

/** A share below all is never shown as 100 %, and one above none as less than 1 % instead of 0 %. */
function ShareBar({ share }: { readonly share: number }) {
  const percent = share === 1 ? 100 : Math.min(99, Math.round(share * 100));
  const text = percent === 0 && share > 0 ? '< 1 %' : `${percent} %`;
  return (
    <span className="share">
      <svg className="share-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden>
        <rect width="100" height="8" className="share-all" />
        <rect width={share * 100} height="8" className="share-some" />
      </svg>
      <span>{text}</span>
    </span>
  );
}

const SPELLINGS: readonly Column<Spelling>[] = [
  cell.text('label', t`Label`, ({ label }) => label, { sortBy: ({ label }) => label }),
  cell.text('values', t`Values`, ({ spellings }) => spellings.map(spellingText).join(', ')),
  hostsOf(
    ({ label }, count) => t`${plural(count, { one: '# host', other: '# hosts' })} with one of these values of ${label}`,
  ),
];

function spellingText({ value, hosts }: Spelling['spellings'][number]): string {
  const count = numberText(hosts);
  return t`“${value}” (${count})`;
}

function hostsOf<Row extends Spelling | NamedLabels | Duplicate>(
  what: (row: Row, count: number) => string,
): Column<Row> {
  return {
    id: 'hosts',
    header: t`Hosts`,
    alignRight: true,
    sortBy: ({ hosts }) => hosts,
    cell: (row) => <Found of={row} label={(count) => what(row, count)} />,
  };
}

/** Values of labels that differ in case and spaces alone. */
export function Spellings({ quality: { spellings, spellings_total } }: TableProps) {
  return (
    <>
      <DataTable
        caption={t`Spelled differently`}
        columns={SPELLINGS}
        rows={spellings}
        inPages={{ of: t`labels`, size: PAGE_SIZE }}
        rowKey={({ label, where }) => `${label} ${where}`}
        empty={t`No values of a label differ in case or spaces alone.`}
      />
      <Rest shown={spellings.length} total={spellings_total} />
    </>
  );
}

const NAMED_LABELS: readonly Column<NamedLabels>[] = [
  cell.text('names', t`Names`, ({ names }) =>
    names.map(({ name, hosts }) => spellingText({ value: name, hosts })).join(', '),
  ),
  hostsOf((_, count) => t`${plural(count, { one: '# host', other: '# hosts' })} with one of these labels`),
];

/** Labels whose names differ in case alone. */
export function NamedDifferently({ quality: { label_names, label_names_total } }: TableProps) {
  return (
    <>
      <DataTable
        caption={t`Labels named differently`}
        columns={NAMED_LABELS}
        rows={label_names}
        inPages={{ of: t`labels`, size: PAGE_SIZE }}
        rowKey={({ where }) => where}
        empty={t`No names of labels differ in case alone.`}
      />
      <Rest shown={label_names.length} total={label_names_total} />
    </>
  );
}

/** Facts by which hosts may be duplicates. */
const SAME: Readonly<Record<Duplicate['kind'], string>> = {
  spelling: t`same name in another spelling`,
  serial: t`same serial number`,
  uuid: t`same UUID`,
  address: t`same address`,
  short_name: t`same short name`,
};

const DUPLICATES: readonly Column<Duplicate>[] = [
  cell.text('kind', t`Why`, ({ kind }) => SAME[kind], { sortBy: ({ kind }) => SAME[kind] }),
  cell.text('value', t`Value`, ({ value }) => value, { sortBy: ({ value }) => value }),
  cell.text('sample', t`First hosts`, ({ sample, hosts }) => (
    <>
      {sample.map((hostname, place) => (
        <span key={hostname}>
          {place > 0 && ', '}
          <HostLink hostname={hostname} />
        </span>
      ))}
      {hosts > sample.length && ' …'}
    </>
  )),
  hostsOf(({ kind, value }, count) => duplicateText(kind, value, count)),
];

function duplicateText(kind: Duplicate['kind'], value: string, count: number): string {
  switch (kind) {
    case 'spelling':
      return t`${plural(count, { one: '# host', other: '# hosts' })} with the same name in another spelling: ${value}`;
    case 'serial':
      return t`${plural(count, { one: '# host', other: '# hosts' })} with the same serial number ${value}`;
    case 'uuid':
      return t`${plural(count, { one: '# host', other: '# hosts' })} with the same UUID ${value}, perhaps with swapped bytes`;
    case 'address':
      return t`${plural(count, { one: '# host', other: '# hosts' })} with the same address ${value}`;
    case 'short_name':
      return t`${plural(count, { one: '# host', other: '# hosts' })} with the same short name ${value}`;
  }
}

/** Shows hosts that share a value that should be unique. */
export function Duplicates({ quality: { duplicates, duplicates_total } }: TableProps) {
  const total = Object.values(duplicates_total).reduce((sum, count) => sum + count, 0);
  return (
    <>
      <Text size="sm" c="dimmed">
        <Trans>
          The same serial number or address in labels such as serial_number and ip, or the same name up to the first
          dot. Placeholders such as “none” and addresses such as 127.0.0.1 do not count.
        </Trans>
      </Text>
      <DataTable
        caption={t`May be the same host`}
        columns={DUPLICATES}
        rows={duplicates}
        inPages={{ of: t`hosts`, size: PAGE_SIZE }}
        rowKey={({ kind, value }) => `${kind} ${value}`}
        empty={t`No hosts share a serial number, an address or a short name.`}
      />
      <Rest shown={duplicates.length} total={total} />
    </>
  );
}

function Rest({ shown, total }: { readonly shown: number; readonly total: number }) {
  if (shown >= total) return null;
  const shownCount = numberText(shown);
  const totalCount = numberText(total);
  return (
    <Text size="sm" c="dimmed">
      <Trans>
        {shownCount} of {totalCount} are shown; the command “muster host quality --limit” lists more.
      </Trans>
    </Text>
  );
}
