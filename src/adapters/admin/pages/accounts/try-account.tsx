import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Stack, Table, Text } from '@mantine/core';
import type { OfferedInput, OfferedOutput } from '../../offered-operations.ts';
import { useAction } from '../calls/use-call.ts';
import { Problem } from '../parts/problem.tsx';
import { Value } from '../parts/value.tsx';

type Tried = OfferedOutput<'accounts/try-account'>;

const MOST_COLUMNS = 12;

/** The first records of a source, with what stands in the form and before anything is stored. */
export function TryAccount({ of }: { readonly of: OfferedInput<'accounts/try-account'> }) {
  const attempt = useAction('accounts/try-account', { changes: [], showsProblem: true });
  return (
    <Stack gap="xs" component="section" aria-label={t`Test before saving`}>
      <div>
        <Button variant="default" loading={attempt.isPending} onClick={() => attempt.mutate(of)}>
          <Trans>Test before saving</Trans>
        </Button>
      </div>
      {attempt.isError && <Problem error={attempt.error} />}
      {attempt.data !== undefined && !attempt.isPending && <Records of={attempt.data} />}
    </Stack>
  );
}

function Records({ of: { records, source } }: { readonly of: Tried }) {
  const counts = new Map<string, number>();
  for (const { labels = {} } of records)
    for (const name of Object.keys(labels)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const columns = [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name);
  const shown = columns.slice(0, MOST_COLUMNS);
  return (
    <>
      <Alert color="green" py="xs" role="status" title={t`The source can be read`}>
        {source !== undefined && source.message !== '' && `${source.message}. `}
        {records.length === 0
          ? t`It has no records.`
          : t`These are its first records, with the hostnames and labels that they would get. Nothing is stored.`}
      </Alert>
      {records.length > 0 && (
        <Table.ScrollContainer minWidth={500} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table aria-label={t`First records`} verticalSpacing={3} horizontalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>
                  <Trans>Hostname</Trans>
                </Table.Th>
                {shown.map((name) => (
                  <Table.Th key={name} className="wrap-anywhere">
                    {name}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {records.map(({ position, name, hostname, labels = {}, problem }) => (
                <Table.Tr key={position}>
                  <Table.Td className="wrap-anywhere">
                    <Text size="sm" fw={500}>
                      {hostname ?? (name || position)}
                    </Text>
                    {problem !== undefined && (
                      <Text size="xs" c="red">
                        <Trans>skipped: {problem}</Trans>
                      </Text>
                    )}
                  </Table.Td>
                  {shown.map((label) => (
                    <Table.Td key={label} className="wrap-anywhere">
                      {Object.hasOwn(labels, label) && <Value value={labels[label]} />}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {columns.length > shown.length && (
        <Text size="xs" c="dimmed">
          and {columns.length - shown.length} more labels
        </Text>
      )}
    </>
  );
}
