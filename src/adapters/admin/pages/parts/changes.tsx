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
  readonly place?: (path: string) => string;
}

/** Shows the differences, member by member: removed values in red, new ones in green. */
export function Changes({ caption, changes, columns = [t`Before`, t`After`], place }: ChangesProps) {
  return (
    <Table.ScrollContainer minWidth={420} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={caption} verticalSpacing={2} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="28%">
              <Trans>What</Trans>
            </Table.Th>
            <Table.Th className="wrap-anywhere">{columns[0]}</Table.Th>
            <Table.Th className="wrap-anywhere">{columns[1]}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changeRows(changes).map((change) => (
            <Table.Tr key={change.path}>
              <Table.Td className="wrap-anywhere" fz="sm">
                {place === undefined ? change.path : place(change.path)}
              </Table.Td>
              <Table.Td {...('before' in change && { className: 'value-before' })}>
                {'before' in change ? <Value value={change.before} /> : <Nothing />}
              </Table.Td>
              <Table.Td {...('after' in change && { className: 'value-after' })}>
                {'after' in change ? <Value value={change.after} /> : <Nothing />}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Nothing() {
  return (
    <Text span c="dimmed" size="sm">
      <Trans>nothing</Trans>
    </Text>
  );
}
