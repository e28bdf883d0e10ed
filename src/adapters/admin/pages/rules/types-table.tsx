import { t } from '@lingui/core/macro';
import { cell } from '../parts/cells.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { Words } from '../parts/words.tsx';
import { OWN_PAGES } from './own-pages.ts';
import type { RuleTypeInfo } from './rule-type.ts';

interface TypesTableProps {
  readonly caption: string;
  readonly types: readonly RuleTypeInfo[];
}

/** Lists types of rules, with their purposes. */
export function TypesTable({ caption, types }: TypesTableProps) {
  return (
    <DataTable caption={caption} columns={COLUMNS} rows={types} rowKey={({ id }) => id} empty={t`There are none.`} />
  );
}

const COLUMNS: readonly Column<RuleTypeInfo>[] = [
  cell.link('type', t`Type`, (type) => <TypeLink type={type} />, { note: ({ id }) => id }),
  cell.text('for', t`For`, ({ description }) => <Words>{description}</Words>),
  cell.number('rules', t`Rules`, ({ rules }) => rules),
];

/** Hosts are documents too, and there may be too many of them for a list of rules. */
function TypeLink({ type }: { readonly type: RuleTypeInfo }) {
  const own = OWN_PAGES[type.id];
  if (type.export_group === 'hosts' && own !== undefined) return <TextLink to={own.to}>{type.title}</TextLink>;
  return (
    <TextLink to="/rules/$type" params={{ type: type.id }}>
      {type.title}
    </TextLink>
  );
}
