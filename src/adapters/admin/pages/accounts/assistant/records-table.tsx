import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Checkbox, Table, Text } from '@mantine/core';
import { Done } from '../../parts/done.tsx';
import { cellOf, columnsOf, lacksHostnames, mayBeLeftOut, type Tried } from './columns.ts';

const NONE: ReadonlySet<string> = new Set();

interface RecordsTableProps {
  readonly tried: Tried;
  /** Columns that do not become labels. */
  readonly leftOut?: ReadonlySet<string>;
  /** Absent if the records are only viewed. */
  readonly onLeftOut?: ((leftOut: ReadonlySet<string>) => void) | undefined;
  /** Absent if the type offers no choice of it. */
  readonly onHostname?: ((column: string) => void) | undefined;
}

/** Shows the first records. The head of a column selects it as the hostname; its box decides whether it becomes a label. */
export function RecordsTable({ tried, leftOut = NONE, onLeftOut, onHostname }: RecordsTableProps) {
  const { records, hostname_field: hostname, problem } = tried;
  const columns = columnsOf(tried);
  const count = records.length;
  const isToChoose = lacksHostnames(tried);

  function tick(column: string, isLabel: boolean): void {
    const next = new Set(leftOut);
    if (isLabel) next.delete(column);
    else next.add(column);
    onLeftOut?.(next);
  }

  return (
    <>
      {!isToChoose ? (
        <Done title={t`The source can be read`}>
          {tried.message !== '' && `${tried.message}. `}
          {records.length === 0
            ? t`It has no records.`
            : t`Its first ${plural(count, { one: '# record', other: '# records' })}:`}
        </Done>
      ) : (
        <Alert color="yellow" py="xs" role="status" title={t`Which column has the hostname?`}>
          {problem ?? records[0]?.problem}
          {onHostname !== undefined && columns.length > 0 && (
            <Text size="sm" mt={4}>
              <Trans>Choose it below: the first records are read again with it.</Trans>
            </Text>
          )}
        </Alert>
      )}
      {columns.length > 0 && (
        <Table.ScrollContainer minWidth={480} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }} mah={480}>
          <Table aria-label={t`First records`} verticalSpacing={3} fz="sm">
            <Table.Thead>
              <Table.Tr>
                {columns.map((column) => (
                  <Table.Th key={column} scope="col" className="one-line" style={{ verticalAlign: 'top' }}>
                    <Head
                      column={column}
                      isHostname={!isToChoose && column === hostname}
                      isToChoose={isToChoose}
                      onHostname={onHostname}
                    />
                    {onLeftOut !== undefined && !isToChoose && column !== hostname && (
                      <Checkbox
                        mt={4}
                        size="xs"
                        label={t`label`}
                        aria-label={t`${column} becomes a label`}
                        disabled={!mayBeLeftOut(column)}
                        checked={!leftOut.has(column)}
                        onChange={({ currentTarget }) => tick(column, currentTarget.checked)}
                      />
                    )}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {records.map((record) => (
                <Table.Tr key={record.position}>
                  {columns.map((column) => (
                    <Table.Td key={column} className="wrap-anywhere" c={leftOut.has(column) ? 'dimmed' : 'inherit'}>
                      <Text
                        span
                        inherit
                        td={leftOut.has(column) && column !== hostname ? 'line-through' : 'none'}
                        lineClamp={2}
                      >
                        {cellOf(record, column, hostname)}
                      </Text>
                      {column === hostname && !isToChoose && record.problem !== undefined && (
                        <Text size="xs" c="red">
                          {t`skipped: ${{ problem: record.problem }}`}
                        </Text>
                      )}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </>
  );
}

interface HeadProps {
  readonly column: string;
  readonly isHostname: boolean;
  /** Whether no column has it yet. */
  readonly isToChoose: boolean;
  readonly onHostname: RecordsTableProps['onHostname'];
}

function Head({ column, isHostname, isToChoose, onHostname }: HeadProps) {
  return (
    <>
      {column}
      {isHostname ? (
        <Text size="xs" c="var(--mantine-color-green-light-color)">
          <Trans>hostname</Trans>
        </Text>
      ) : (
        onHostname !== undefined && (
          <div>
            <Button
              size="compact-xs"
              variant={isToChoose ? 'light' : 'subtle'}
              aria-label={t`Use as hostname: ${column}`}
              title={t`Take this column for the hostname`}
              onClick={() => onHostname(column)}
            >
              <Trans>Use as hostname</Trans>
            </Button>
          </div>
        )
      )}
    </>
  );
}
