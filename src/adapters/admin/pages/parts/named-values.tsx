import { Trans } from '@lingui/react/macro';
import { Button, Table } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { numberText } from '../language/numbers.ts';

const SHOWN = 200;

interface NamedValue {
  readonly key: string;
  readonly name: ReactNode;
  readonly value: ReactNode;
  /** Action at the end of the line. */
  readonly act?: ReactNode;
}

interface NamedValuesProps {
  readonly label: string;
  readonly rows: readonly NamedValue[];
  /** Width of the ends of the lines. */
  readonly actsWidth?: number;
}

/** Shows values by their names, one a line; of very many only the first until the user asks for all. */
export function NamedValues({ label, rows, actsWidth = 44 }: NamedValuesProps) {
  const [isWhole, setWhole] = useState(false);
  const count = numberText(rows.length);
  return (
    <>
      <Table verticalSpacing={3} horizontalSpacing="xs" layout="fixed" aria-label={label}>
        <Table.Tbody>
          {rows.slice(0, isWhole ? undefined : SHOWN).map(({ key, name, value, act }) => (
            <Table.Tr key={key}>
              <Table.Th scope="row" fw={400} w="35%" ta="left" className="wrap-anywhere">
                {name}
              </Table.Th>
              <Table.Td>{value}</Table.Td>
              {act !== undefined && (
                <Table.Td w={actsWidth} ta="right">
                  {act}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {!isWhole && rows.length > SHOWN && (
        <Button size="xs" variant="subtle" onClick={() => setWhole(true)}>
          <Trans>Show all {count}</Trans>
        </Button>
      )}
    </>
  );
}
