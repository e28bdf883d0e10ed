import { Checkbox, List, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useSession } from '../calls/session.ts';
import { useRun } from '../calls/use-run.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { PagesOf } from '../parts/pages-of.tsx';
import { Problem } from '../parts/problem.tsx';
import { valueText } from '../parts/value.tsx';
import type { Account } from './option-fields.ts';
import { RunButtons, RunOutcome, RunProgress } from './run-outcome.tsx';

type Outcome = OfferedOutput<'imports/import-account'>;

/** Imports an account, or tells what an import would do. */
export function ImportRun({ account: { name, enabled } }: { readonly account: Account }) {
  const session = useSession();
  const [diff, setDiff] = useState(false);
  const run = useRun('imports/import-account', ['accounts', 'hosts', 'inventory', 'syncer']);
  const isDry = run.variables?.dry_run === true;
  if (session.read_only) return <Text size="sm">You may only read, so you cannot import.</Text>;
  return (
    <Stack gap="sm">
      <Checkbox
        label="The dry run shows what would change in each host"
        checked={diff}
        onChange={({ currentTarget }) => setDiff(currentTarget.checked)}
      />
      <RunButtons
        verb="Import"
        isRunning={run.isPending}
        hindrance={enabled ? undefined : 'The account is disabled; enable it to import.'}
        onTry={() => run.mutate({ account: name, dry_run: true, diff })}
        onRun={() => run.mutate({ account: name, dry_run: false })}
      />
      {run.isPending && <RunProgress label={isDry ? 'Trying out' : 'Importing'} progress={run.progress} />}
      {run.isError && <Problem error={run.error} />}
      {run.isSuccess && <ImportOutcome outcome={run.data} isDry={isDry} />}
    </Stack>
  );
}

function ImportOutcome({ outcome, isDry }: { readonly outcome: Outcome; readonly isDry: boolean }) {
  const { status, message, summary, not_written, not_written_total, archived_sample, withdrawn, diffs } = outcome;
  const changed = summary.created + summary.updated;
  return (
    <Stack>
      <RunOutcome
        what={isDry ? 'Dry run' : 'Import'}
        status={status}
        message={message}
        figures={[
          ['Seen', summary.seen],
          ['Created', summary.created],
          ['Updated', summary.updated],
          ['Unchanged', summary.unchanged],
          ['Archived', summary.archived],
          ['Conflicts', summary.conflicts],
          ['Skipped', summary.skipped],
          ['Failed', summary.failed],
        ]}
        milliseconds={summary.duration_ms}
      />
      {withdrawn > 0 && (
        <Text size="sm">
          {withdrawn.toLocaleString('en')} hosts {isDry ? 'would lose' : 'lost'} labels that this account gave them.
        </Text>
      )}
      {not_written.length > 0 && (
        <div>
          <Title order={3} size="h5">
            Records that {isDry ? 'would not be' : 'were not'} written
            {not_written_total > not_written.length && `, the first ${not_written.length} of ${not_written_total}`}
          </Title>
          <PagesOf rows={not_written} label="records">
            {(rows) => (
              <DataTable
                caption="Records that were not written"
                columns={NOT_WRITTEN}
                rows={rows}
                rowKey={({ position, hostname }) => `${position} ${hostname}`}
                empty=""
              />
            )}
          </PagesOf>
        </div>
      )}
      {archived_sample.length > 0 && (
        <div>
          <Title order={3} size="h5">
            {isDry ? 'Would be archived' : 'Archived'}
            {summary.archived > archived_sample.length &&
              `, the first ${archived_sample.length} of ${summary.archived}`}
          </Title>
          <List size="sm">
            {archived_sample.map((hostname) => (
              <List.Item key={hostname} className="wrap-anywhere">
                {hostname}
              </List.Item>
            ))}
          </List>
        </div>
      )}
      {diffs.length > 0 && (
        <div>
          <Title order={3} size="h5">
            What would change
            {changed > diffs.length && `, the first ${diffs.length} of ${changed} hosts`}
          </Title>
          <PagesOf rows={diffs} label="changed hosts">
            {(rows) => (
              <DataTable
                caption="What would change"
                columns={DIFFS}
                rows={rows}
                rowKey={({ hostname }) => hostname}
                empty=""
              />
            )}
          </PagesOf>
        </div>
      )}
    </Stack>
  );
}

const NOT_WRITTEN: readonly Column<Outcome['not_written'][number]>[] = [
  { id: 'position', header: 'Where', cell: ({ position }) => position },
  { id: 'hostname', header: 'Name', cell: ({ hostname }) => <Breaking text={hostname === '' ? '—' : hostname} /> },
  { id: 'kind', header: 'What', cell: ({ kind }) => kind },
  { id: 'reason', header: 'Why', cell: ({ reason }) => <Breaking text={reason} /> },
];

const DIFFS: readonly Column<Outcome['diffs'][number]>[] = [
  { id: 'hostname', header: 'Hostname', cell: ({ hostname }) => <Breaking text={hostname} /> },
  { id: 'outcome', header: 'What', cell: ({ outcome }) => outcome },
  {
    id: 'changes',
    header: 'Changes',
    cell: ({ changes }) => (
      <Stack gap={2}>
        {changes.map(({ path, before, after }) => (
          <Text key={path} size="sm" className="wrap-anywhere">
            <Text span size="sm" fw={600}>
              {path}
            </Text>{' '}
            {before !== undefined && `${valueText(before)} → `}
            {after === undefined ? 'taken away' : valueText(after)}
          </Text>
        ))}
      </Stack>
    ),
  },
];

function Breaking({ text }: { readonly text: string }) {
  return (
    <Text span size="sm" className="wrap-anywhere">
      {text}
    </Text>
  );
}
