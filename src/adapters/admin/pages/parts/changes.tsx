import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Table, Text } from '@mantine/core';
import { type Change, changeRows } from './change-rows.ts';
import { Value } from './value.tsx';

interface ChangesProps {
  /** Subject of the changes, for screen readers. */
  readonly caption: string;
  readonly changes: readonly Change[];
  /** Headings of the two values. */
  readonly columns?: readonly [string, string];
  /** Returns the place of a member in words; unchanged when absent. */
  readonly place?: ((path: string) => string) | undefined;
  /** True if neither value replaces the other, as with two hosts: they have no colours. */
  readonly isNeutral?: boolean | undefined;
}

/** Shows the differences, member by member: removed values in red, new ones in green. A phone has room for all three columns. */
export function Changes({ caption, changes, columns = [t`Before`, t`After`], place, isNeutral }: ChangesProps) {
  return (
    <Table.ScrollContainer minWidth={280} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={caption} verticalSpacing={2} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="28%">
              <Trans>Field</Trans>
            </Table.Th>
            <Table.Th className="wrap-anywhere">{columns[0]}</Table.Th>
            <Table.Th className="wrap-anywhere">{columns[1]}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <ChangeRows changes={changes} place={place} isNeutral={isNeutral} />
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** The lines of a table of changes. */
export function ChangeRows({
  changes,
  place,
  isNeutral = false,
}: Pick<ChangesProps, 'changes' | 'place' | 'isNeutral'>) {
  return changeRows(changes).map((change) => (
    <Table.Tr key={change.path}>
      <Table.Td className="wrap-anywhere" fz="sm">
        {place === undefined ? change.path : place(change.path)}
      </Table.Td>
      <Table.Td {...('before' in change && !isNeutral && { className: 'value-before' })}>
        {'before' in change ? <Value value={change.before} /> : <Nothing />}
      </Table.Td>
      <Table.Td {...('after' in change && !isNeutral && { className: 'value-after' })}>
        {'after' in change ? <Value value={change.after} /> : <Nothing />}
      </Table.Td>
    </Table.Tr>
  ));
}

function Nothing() {
  return (
    <Text span c="dimmed" size="sm">
      <Trans>nothing</Trans>
    </Text>
  );
}
