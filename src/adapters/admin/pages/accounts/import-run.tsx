import { Checkbox, List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useRun } from '../calls/use-run.ts';
import { Breaking } from '../parts/breaking.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Problem } from '../parts/problem.tsx';
import { valueText } from '../parts/value-text.ts';
import type { Account } from './option-fields.ts';
import { RunButtons, RunOutcome, RunProgress } from './run-outcome.tsx';
import { RunList, RunRows } from './run-rows.tsx';

type Outcome = OfferedOutput<'imports/import-account'>;

/** Imports an account, or tells what an import would do. */
export function ImportRun({ account: { name, enabled } }: { readonly account: Account }) {
  const session = useSession();
  const [diff, setDiff] = useState(false);
  const [full, setFull] = useState(false);
  const run = useRun('imports/import-account', ['accounts', 'hosts', 'inventory', 'syncer']);
  const isDry = run.variables?.dry_run === true;
  if (!may(session, 'imports/import-account')) return <Text size="sm">You may only read, so you cannot import.</Text>;
  return (
    <Stack gap="sm">
      <Checkbox
        label="Include per-host changes"
        checked={diff}
        onChange={({ currentTarget }) => setDiff(currentTarget.checked)}
      />
      <Checkbox
        label="Read everything, also where the account reads only what changed"
        checked={full}
        onChange={({ currentTarget }) => setFull(currentTarget.checked)}
      />
      <RunButtons
        verb="Import"
        isRunning={run.isPending}
        disabledBecause={enabled ? undefined : 'The account is disabled; enable it to import.'}
        onTry={() => run.mutate({ account: name, dry_run: true, diff, full })}
        onRun={() => run.mutate({ account: name, dry_run: false, full })}
      />
      {run.isPending && <RunProgress label={isDry ? 'Dry run' : 'Importing'} progress={run.progress} />}
      {run.isError && <Problem error={run.error} />}
      {run.isSuccess && <ImportOutcome outcome={run.data} isDry={isDry} />}
    </Stack>
  );
}

export function ImportOutcome({ outcome, isDry }: { readonly outcome: Outcome; readonly isDry: boolean }) {
  const { status, message, summary, not_written, not_written_total, archived_sample, withdrawn, diffs } = outcome;
  const { gaps, gaps_total, emptied, relations, renamed, renamed_sample, key_conflicts, key_conflicts_total } = outcome;
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
      {emptied > 0 && (
        <Text size="sm">
          The section {isDry ? 'would be' : 'was'} emptied on {emptied.toLocaleString('en')} hosts that the source no
          longer names.
        </Text>
      )}
      {relations.added + relations.removed > 0 && (
        <Text size="sm">
          {relations.added.toLocaleString('en')} relations between hosts were added and{' '}
          {relations.removed.toLocaleString('en')} taken back.
        </Text>
      )}
      <RunRows
        title="Parts of the source that could not be read"
        rows={gaps}
        total={gaps_total}
        label="parts"
        columns={GAPS}
        rowKey={({ what }) => what}
      />
      <RunRows
        title={`Records that ${isDry ? 'would not be' : 'were not'} written`}
        rows={not_written}
        total={not_written_total}
        label="records"
        columns={NOT_WRITTEN}
        rowKey={({ position, hostname }) => `${position} ${hostname}`}
      />
      <RunList
        title={isDry ? 'Would get another name' : 'Got another name'}
        shown={renamed_sample.length}
        total={renamed}
      >
        <List size="sm">
          {renamed_sample.map(({ from, to }) => (
            <List.Item key={to} className="wrap-anywhere">
              {from} → {to}
            </List.Item>
          ))}
        </List>
      </RunList>
      <RunRows
        title="Keys that tell no host for certain"
        rows={key_conflicts}
        total={key_conflicts_total}
        label="keys"
        columns={KEY_CONFLICTS}
        rowKey={({ position, hostname, reason }) => `${position} ${hostname} ${reason}`}
      />
      <RunList title={archivedTitle(isDry, status)} shown={archived_sample.length} total={summary.archived}>
        <List size="sm">
          {archived_sample.map((hostname) => (
            <List.Item key={hostname} className="wrap-anywhere">
              {hostname}
            </List.Item>
          ))}
        </List>
      </RunList>
      <RunRows
        title="What would change"
        rows={diffs}
        total={changed}
        counted="hosts"
        label="changed hosts"
        columns={DIFFS}
        rowKey={({ hostname }) => hostname}
      />
    </Stack>
  );
}

/** A run that failed has archived nothing: it names what stopped it. */
function archivedTitle(isDry: boolean, status: Outcome['status']): string {
  if (isDry) return 'Would be archived';
  return status === 'failed' ? 'Would have been archived' : 'Archived';
}

const NOT_WRITTEN: readonly Column<Outcome['not_written'][number]>[] = [
  { id: 'position', header: 'Where', cell: ({ position }) => position },
  { id: 'hostname', header: 'Name', cell: ({ hostname }) => <Breaking text={hostname === '' ? '—' : hostname} /> },
  { id: 'kind', header: 'What', cell: ({ kind }) => kind },
  { id: 'reason', header: 'Why', cell: ({ reason }) => <Breaking text={reason} /> },
];

const KEY_CONFLICTS: readonly Column<Outcome['key_conflicts'][number]>[] = [
  { id: 'position', header: 'Where', cell: ({ position }) => position },
  { id: 'hostname', header: 'Name', cell: ({ hostname }) => <Breaking text={hostname} /> },
  { id: 'reason', header: 'Why', cell: ({ reason }) => <Breaking text={reason} /> },
];

const GAPS: readonly Column<Outcome['gaps'][number]>[] = [
  { id: 'what', header: 'What', cell: ({ what }) => <Breaking text={what} /> },
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
            {after === undefined ? 'removed' : valueText(after)}
          </Text>
        ))}
      </Stack>
    ),
  },
];
