import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Button, Table } from '@mantine/core';
import { useState } from 'react';
import { numberText } from '../language/numbers.ts';
import { Value } from '../parts/value.tsx';

const SHOWN = 200;

interface Row {
  readonly path: string;
  readonly name: string;
  readonly depth: number;
  /** Absent for objects, whose members follow. */
  readonly value?: unknown;
}

interface ValueTreeProps {
  readonly value: object;
  readonly label: string;
}

/** Members of a nested object, one a line, indented. */
export function ValueTree({ value, label }: ValueTreeProps) {
  const [isWhole, setWhole] = useState(false);
  const rows = rowsOf(value, '', 0);
  if (rows.length === 0) return t`It is empty.`;
  const shown = isWhole ? rows : rows.slice(0, SHOWN);
  const count = numberText(rows.length);
  return (
    <>
      <Table verticalSpacing={3} horizontalSpacing="xs" aria-label={label}>
        <Table.Tbody>
          {shown.map(({ path, name, depth, ...rest }) => (
            <Table.Tr key={path}>
              <Table.Th
                scope="row"
                fw={400}
                w="35%"
                className="wrap-anywhere"
                ta="left"
                style={{ verticalAlign: 'top' }}
              >
                <Box component="span" pl={depth * 16} display="block">
                  {name}
                </Box>
              </Table.Th>
              <Table.Td>{'value' in rest && <Value value={rest.value} />}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length > shown.length && (
        <Button size="xs" variant="subtle" onClick={() => setWhole(true)}>
          <Trans>Show all {count} members</Trans>
        </Button>
      )}
    </>
  );
}

/** Lists of plain values stand on one line; others and objects are opened. */
function rowsOf(value: object, path: string, depth: number): Row[] {
  const entries = Array.isArray(value)
    ? value.map((item, index) => [String(index + 1), item] as const)
    : Object.entries(value);
  return entries.flatMap(([name, member]): Row[] => {
    const row = { path: `${path}/${name}`, name, depth };
    return isNested(member) ? [row, ...rowsOf(member, row.path, depth + 1)] : [{ ...row, value: member }];
  });
}

function isNested(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => typeof item === 'object' && item !== null);
  return Object.keys(value).length > 0;
}
