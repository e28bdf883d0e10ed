import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Group, List, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { isUploaded } from '../../../../kit/words/uploads.ts';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useRun } from '../calls/use-run.ts';
import { HostLink } from '../hosts/host-link.tsx';
import { numberText } from '../language/numbers.ts';
import { Breaking } from '../parts/breaking.tsx';
import { cell } from '../parts/cells.tsx';
import { confirm } from '../parts/confirm.ts';
import type { Column } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { Problem } from '../parts/problem.tsx';
import { valueText } from '../parts/value-text.ts';
import { useRunsElsewhere } from '../runs/use-active-runs.ts';
import { AfterImport } from './after-import.tsx';
import type { Account } from './option-fields.ts';
import { DRY_RUN_TITLES, endingOf, IMPORT_TITLES } from './outcome-titles.ts';
import { ReplaceFile } from './replace-file.tsx';
import { RunButtons, RunOutcome, RunProgress } from './run-outcome.tsx';
import { RunList, RunRows } from './run-rows.tsx';

type Outcome = OfferedOutput<'imports/import-account'>;

interface ImportRunProps {
  readonly account: Account;
  /** Called with the message of a run that has ended. */
  readonly onEnd: (message: string) => void;
}

/** Imports an account, or reports what an import would do. */
export function ImportRun({ account, onEnd }: ImportRunProps) {
  const { name, enabled } = account;
  const session = useSession();
  const [diff, setDiff] = useState(false);
  const [full, setFull] = useState(false);
  const run = useRun('imports/import-account', ['accounts', 'hosts', 'inventory', 'search', 'syncer', 'runs']);
  const isDry = run.variables?.dry_run === true;
  const mayList = may(session, 'runs/list-active');
  const isElsewhere = useRunsElsewhere({ kind: 'import', account: name, isOwn: run.isPending });
  if (!may(session, 'imports/import-account'))
    return (
      <Text size="sm">
        <Trans>You may only read, so you cannot import.</Trans>
      </Text>
    );
  const canRun = enabled && !run.isPending && !isElsewhere;
  const importNow = (archive_up_to?: number) =>
    run.mutate(
      { account: name, dry_run: false, full, ...(archive_up_to !== undefined && { archive_up_to }) },
      { onSuccess: ({ message }) => onEnd(message) },
    );
  return (
    <Stack gap="sm">
      {isUploaded(account.options.path ?? '') && (
        <ReplaceFile account={account} onImport={canRun ? () => importNow() : undefined} />
      )}
      <Checkbox
        label={t`Include per-host changes`}
        checked={diff}
        onChange={({ currentTarget }) => setDiff(currentTarget.checked)}
      />
      <Checkbox
        label={t`Read everything, also where the account reads only what changed`}
        checked={full}
        onChange={({ currentTarget }) => setFull(currentTarget.checked)}
      />
      <RunButtons
        now={t`Import now`}
        isRunning={run.isPending}
        disabledBecause={enabled ? undefined : t`The account is disabled; enable it to import.`}
        runDisabledBecause={
          isElsewhere ? t`It is being imported, see above. You can import it again when that has ended.` : undefined
        }
        onTry={() => run.mutate({ account: name, dry_run: true, diff, full })}
        onRun={() => importNow()}
      />
      {run.isPending && (
        <RunProgress
          label={isDry ? t`Dry run` : t`Importing`}
          progress={run.progress}
          isShownAbove={mayList && !isDry}
        />
      )}
      {run.isError && <Problem error={run.error} />}
      {run.isSuccess && (
        <ImportOutcome outcome={run.data} isDry={isDry}>
          {run.data.refused > 0 && <ArchiveOnce outcome={run.data} onArchive={canRun ? importNow : undefined} />}
        </ImportOutcome>
      )}
    </Stack>
  );
}

interface ArchiveOnceProps {
  readonly outcome: Outcome;
  /** Called with the number of hosts that may be archived; absent while it cannot be imported. */
  readonly onArchive: ((most: number) => void) | undefined;
}

/** Imports again with the threshold lifted for the hosts that it kept, and for no more. */
function ArchiveOnce({ outcome: { account, refused, archived_sample }, onArchive }: ArchiveOnceProps) {
  const count = numberText(refused);
  const names = archived_sample.join(', ');
  const first = archived_sample.length;
  return (
    <Group gap="sm">
      <Button
        color="red"
        variant="light"
        disabled={onArchive === undefined}
        onClick={() =>
          confirm({
            title: t`Archive ${plural(refused, { one: '# host', other: '# hosts' })} of ${account}?`,
            text:
              refused > first
                ? t`The first ${first} of ${count}: ${names}. It imports again, and archives none if more than ${count} are gone by then. The threshold stays as it is. Archived hosts can be restored.`
                : t`${names}. It imports again, and archives none if more than ${count} are gone by then. The threshold stays as it is. Archived hosts can be restored.`,
            yes: t`Archive them`,
            onYes: () => onArchive?.(refused),
          })
        }
      >
        {plural(refused, { one: 'Archive this host this once…', other: 'Archive these # this once…' })}
      </Button>
      <Text size="sm" c="dimmed">
        <Trans>The threshold is lifted for this run alone.</Trans>
      </Text>
    </Group>
  );
}

interface ImportOutcomeProps {
  readonly outcome: Outcome;
  readonly isDry: boolean;
  /** Ways to fix it. */
  readonly children?: ReactNode;
}

export function ImportOutcome({ outcome, isDry, children }: ImportOutcomeProps) {
  const { status, message, summary, not_written, not_written_total, archived_sample, withdrawn, diffs } = outcome;
  const {
    unseen,
    unseen_sample,
    gaps,
    gaps_total,
    emptied,
    relations,
    renamed,
    renamed_sample,
    key_conflicts,
    key_conflicts_total,
  } = outcome;
  const changed = summary.created + summary.updated;
  // It succeeded, but the account still has no host from it.
  const isFruitless = status === 'done' && summary.seen > 0 && changed + summary.unchanged === 0;
  return (
    <Stack>
      <RunOutcome
        title={isFruitless ? fruitlessTitle(isDry) : (isDry ? DRY_RUN_TITLES : IMPORT_TITLES)[endingOf(outcome)]}
        ending={isFruitless ? 'partial' : endingOf(outcome)}
        message={message}
        figures={[
          [t`Seen`, summary.seen],
          [t`Created`, summary.created],
          [t`Updated`, summary.updated],
          [t`Unchanged`, summary.unchanged],
          [t`Archived`, summary.archived],
          [t`Conflicts`, summary.conflicts],
          [t`Skipped`, summary.skipped],
          [t`Failed`, summary.failed],
        ]}
        milliseconds={summary.duration_ms}
      />
      {children}
      {status !== 'failed' && !isDry && changed + summary.archived > 0 && <AfterImport account={outcome.account} />}
      {status === 'failed' && !isDry && changed > 0 && (
        <Text size="sm">
          {changedAllTheSame(changed)}{' '}
          <TextLink inherit to="/runs">
            <Trans>See or undo it in Runs</Trans>
          </TextLink>
        </Text>
      )}
      {withdrawn > 0 && <Text size="sm">{withdrawnText(withdrawn, isDry)}</Text>}
      {emptied > 0 && <Text size="sm">{emptiedText(emptied, isDry)}</Text>}
      {relations.added + relations.removed > 0 && <Text size="sm">{relationsText(relations)}</Text>}
      <RunRows
        title={t`Parts of the source that could not be read`}
        rows={gaps}
        total={gaps_total}
        label={t`parts`}
        columns={GAPS}
        rowKey={({ what }) => what}
      />
      <RunRows
        title={isDry ? t`Records that would not be written` : t`Records that were not written`}
        rows={not_written}
        total={not_written_total}
        label={t`records`}
        columns={NOT_WRITTEN}
        rowKey={({ position, hostname }) => `${position} ${hostname}`}
      />
      <RunList
        title={isDry ? t`Would get another name` : t`Got another name`}
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
        title={t`Ambiguous keys`}
        rows={key_conflicts}
        total={key_conflicts_total}
        label={t`keys`}
        columns={KEY_CONFLICTS}
        rowKey={({ position, hostname, reason }) => `${position} ${hostname} ${reason}`}
      />
      <RunList
        title={archivedTitle(isDry, status)}
        shown={archived_sample.length}
        total={Math.max(summary.archived, outcome.refused)}
      >
        <List size="sm">
          {archived_sample.map((hostname) => (
            <List.Item key={hostname} className="wrap-anywhere">
              <HostLink hostname={hostname} />
            </List.Item>
          ))}
        </List>
      </RunList>
      <RunList
        title={isDry ? t`Not in the source, would stay` : t`Not in the source, stay as they are`}
        shown={unseen_sample.length}
        total={unseen}
      >
        <Text size="sm" mb="xs">
          <Trans>
            Hosts of this account that the source did not name. To have such hosts archived, set the option for hosts
            that are not found on import.
          </Trans>
        </Text>
        <List size="sm">
          {unseen_sample.map((hostname) => (
            <List.Item key={hostname} className="wrap-anywhere">
              <HostLink hostname={hostname} />
            </List.Item>
          ))}
        </List>
      </RunList>
      <RunRows
        title={t`Planned changes`}
        rows={diffs}
        total={changed}
        counted="hosts"
        label={t`changed hosts`}
        columns={DIFFS}
        rowKey={({ hostname }) => hostname}
      />
    </Stack>
  );
}

function fruitlessTitle(isDry: boolean): string {
  return isDry ? t`No record would become a host` : t`Import done, but no record became a host`;
}

function changedAllTheSame(hosts: number): string {
  return plural(hosts, {
    one: '# host was changed all the same, by the records that were read.',
    other: '# hosts were changed all the same, by the records that were read.',
  });
}

function withdrawnText(hosts: number, isDry: boolean): string {
  return isDry
    ? t`${plural(hosts, { one: '# host', other: '# hosts' })} would lose labels that this account gave them.`
    : t`${plural(hosts, { one: '# host', other: '# hosts' })} lost labels that this account gave them.`;
}

function emptiedText(hosts: number, isDry: boolean): string {
  return isDry
    ? t`The section would be emptied on ${plural(hosts, { one: '# host', other: '# hosts' })} that the source no longer names.`
    : t`The section was emptied on ${plural(hosts, { one: '# host', other: '# hosts' })} that the source no longer names.`;
}

function relationsText({ added, removed }: Outcome['relations']): string {
  const back = numberText(removed);
  return t`${plural(added, { one: '# relation between hosts was', other: '# relations between hosts were' })} added and ${back} removed.`;
}

/** A failed run has archived nothing: the title names the obstacle. */
function archivedTitle(isDry: boolean, status: Outcome['status']): string {
  if (isDry) return t`Would be archived`;
  return status === 'failed' ? t`Would have been archived` : t`Archived`;
}

const REFUSALS: Readonly<Record<string, string>> = {
  conflict: t`conflict`,
  skipped: t`skipped`,
  failed: t`failed`,
};

const NOT_WRITTEN: readonly Column<Outcome['not_written'][number]>[] = [
  cell.text('position', t`Where`, ({ position }) => position),
  cell.text('hostname', t`Name`, ({ hostname }) => (hostname === '' ? '—' : hostname)),
  cell.text('kind', t`What`, ({ kind }) => REFUSALS[kind] ?? kind),
  cell.text('reason', t`Why`, ({ reason }) => reason),
];

const KEY_CONFLICTS: readonly Column<Outcome['key_conflicts'][number]>[] = [
  cell.text('position', t`Where`, ({ position }) => position),
  cell.text('hostname', t`Name`, ({ hostname }) => hostname),
  cell.text('reason', t`Why`, ({ reason }) => reason),
];

const GAPS: readonly Column<Outcome['gaps'][number]>[] = [
  cell.text('what', t`What`, ({ what }) => what),
  cell.text('reason', t`Why`, ({ reason }) => reason),
];

const OUTCOMES: Readonly<Record<Outcome['diffs'][number]['outcome'], string>> = {
  created: t`created`,
  updated: t`updated`,
};

const DIFFS: readonly Column<Outcome['diffs'][number]>[] = [
  {
    id: 'hostname',
    header: t`Hostname`,
    // A host that would be created has no page yet.
    cell: ({ hostname, outcome }) =>
      outcome === 'created' ? <Breaking text={hostname} /> : <HostLink hostname={hostname} />,
  },
  cell.text('outcome', t`What`, ({ outcome }) => OUTCOMES[outcome]),
  {
    id: 'changes',
    header: t`Changes`,
    cell: ({ changes }) => (
      <Stack gap={2}>
        {changes.map(({ path, before, after }) => (
          <Text key={path} size="sm" className="wrap-anywhere">
            <Text span size="sm" fw={600}>
              {path}
            </Text>{' '}
            {before !== undefined && `${valueText(before)} → `}
            {after === undefined ? t`removed` : valueText(after)}
          </Text>
        ))}
      </Stack>
    ),
  },
];
