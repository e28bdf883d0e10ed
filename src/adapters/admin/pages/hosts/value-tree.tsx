import { t } from '@lingui/core/macro';
import { Box } from '@mantine/core';
import { NamedValues } from '../parts/named-values.tsx';
import { Value } from '../parts/value.tsx';

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
  const rows = rowsOf(value, '', 0);
  if (rows.length === 0) return t`It is empty.`;
  return (
    <NamedValues
      label={label}
      rows={rows.map(({ path, name, depth, ...rest }) => ({
        key: path,
        name: (
          <Box component="span" pl={depth * 16} display="block">
            {name}
          </Box>
        ),
        value: 'value' in rest && <Value value={rest.value} />,
      }))}
    />
  );
}

/** Lists of plain values are shown on one line; others and objects are expandable. */
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
