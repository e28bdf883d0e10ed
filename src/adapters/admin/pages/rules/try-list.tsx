import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { OfferedInput, OfferedOutput } from '../../offered-operations.ts';
import { type CallError, call } from '../calls/call.ts';
import { numberText } from '../language/numbers.ts';
import { cell } from '../parts/cells.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Problem } from '../parts/problem.tsx';
import { Value } from '../parts/value.tsx';
import { isCurrent, type Trial } from './trial.ts';

type Tried = OfferedOutput<'rules/try-list'>;
type Row = Tried['rows'][number];

/** Shows the effect of a rule on the first rows of its list. */
export function TryList({ trial }: { readonly trial: Trial }) {
  const [tried, setTried] = useState<Trial>();
  const attempt = useMutation<Tried, CallError, OfferedInput<'rules/try-list'>>({
    mutationFn: (input) => call('rules/try-list', input),
    onError: (error) => trial.onProblem(error, ''),
  });

  function look(): void {
    setTried(trial);
    const { type, document, provider } = trial;
    attempt.mutate({ rule_type: type.id, document, project: provider });
  }

  return (
    <Paper withBorder p="sm">
      <Stack gap="xs" align="stretch">
        <Title order={3} size="h5">
          <Trans>Results for the rows</Trans>
        </Title>
        <div>
          <Button size="xs" variant="default" loading={attempt.isPending} disabled={!trial.isReady} onClick={look}>
            <Trans>Try the first rows</Trans>
          </Button>
        </div>
        <div aria-live="polite">
          {attempt.isError && isCurrent(tried, trial) && <Problem error={attempt.error} />}
          {attempt.data !== undefined && !attempt.isPending && (
            <Result tried={attempt.data} provider={tried?.provider ?? ''} isOld={!isCurrent(tried, trial)} />
          )}
        </div>
      </Stack>
    </Paper>
  );
}

interface ResultProps {
  readonly tried: Tried;
  readonly provider: string;
  readonly isOld: boolean;
}

function Result({ tried: { total, rows }, provider, isOld }: ResultProps) {
  if (total === 0)
    return (
      <Text size="sm">
        <Trans>The rule does not run in the inventory of {provider}.</Trans>
      </Text>
    );
  const counted = numberText(total);
  const shown = rows.length;
  return (
    <Stack gap="xs">
      <Text size="sm">
        {shown === total
          ? plural(total, {
              one: `# row in the inventory of ${provider}:`,
              other: `# rows in the inventory of ${provider}:`,
            })
          : t`The first ${shown} of ${counted} rows in the inventory of ${provider}:`}
      </Text>
      {isOld && (
        <Text size="sm" c="dimmed">
          <Trans>The rule was changed since. Try again.</Trans>
        </Text>
      )}
      <DataTable
        caption={t`Results of the rule for the rows`}
        columns={COLUMNS}
        rows={rows}
        rowKey={({ line }) => String(line)}
        empty=""
      />
    </Stack>
  );
}

const STATES: Readonly<Record<Row['state'], { readonly text: string; readonly colour: string } | undefined>> = {
  made: undefined,
  runs: undefined,
  replaces: { text: t`in the place of the stored host`, colour: 'blue' },
  replaced: { text: t`a later row of this name counts`, colour: 'gray' },
  left: { text: t`left out`, colour: 'yellow' },
  nameless: { text: t`no hostname and no name: makes nothing`, colour: 'yellow' },
};

function State({ row: { state, why } }: { readonly row: Row }) {
  const shown = STATES[state];
  if (shown === undefined) return null;
  return (
    <div>
      <Badge variant="light" color={shown.colour} radius="sm" tt="none">
        {shown.text}
      </Badge>
      {why !== undefined && (
        <Text size="xs" c="dimmed">
          {why}
        </Text>
      )}
    </div>
  );
}

function Made({ row: { variables, playbooks, errors } }: { readonly row: Row }) {
  return (
    <>
      {Object.entries(variables).map(([name, value]) => (
        <Text key={name} component="div" size="sm" className="wrap-anywhere">
          {name}: <Value value={value} />
        </Text>
      ))}
      {playbooks.map((playbook) => (
        <Text key={playbook} size="sm">
          <Trans>runs {playbook}</Trans>
        </Text>
      ))}
      {errors.map((error) => (
        <Text key={error} size="sm" c="red" className="wrap-anywhere">
          {error}
        </Text>
      ))}
    </>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  cell.number('line', t`Line`, ({ line }) => line),
  cell.text('host', t`Host`, (row) => (
    <>
      {row.hostname}
      <State row={row} />
    </>
  )),
  cell.text('gets', t`Gets`, (row) => <Made row={row} />),
];
