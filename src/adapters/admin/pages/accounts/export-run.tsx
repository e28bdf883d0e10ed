import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useRun } from '../calls/use-run.ts';
import { cell } from '../parts/cells.tsx';
import { confirm } from '../parts/confirm.ts';
import type { Column } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { Problem } from '../parts/problem.tsx';
import { EntryList } from '../plans/plan-entries.tsx';
import { useRunsElsewhere } from '../runs/use-active-runs.ts';
import { EmptyFields } from './empty-fields.tsx';
import { exportQuestion } from './export-question.ts';
import { ExportedFiles } from './exported-files.tsx';
import type { Account } from './option-fields.ts';
import { DRY_RUN_TITLES, EXPORT_TITLES, endingOf, exportEndingOf } from './outcome-titles.ts';
import { RunButtons, RunOutcome, RunProgress } from './run-outcome.tsx';
import { RunList, RunRows } from './run-rows.tsx';

type Outcome = OfferedOutput<'exports/export-account'>;

interface ExportRunProps {
  readonly account: Account;
  /** Whether the target holds objects, of others too. */
  readonly hasObjects: boolean;
  /** Called with the message of a run that has ended. */
  readonly onEnd: (message: string) => void;
}

/** Exports all hosts to an account, or reports what an export would do. */
export function ExportRun({ account: { name, enabled }, hasObjects, onEnd }: ExportRunProps) {
  const session = useSession();
  const run = useRun('exports/export-account', ['accounts', 'exports', 'syncer', 'runs']);
  const isDry = run.variables?.dry_run === true;
  const mayList = may(session, 'runs/list-active');
  const isElsewhere = useRunsElsewhere({ kind: 'export', account: name, isOwn: run.isPending });
  if (!may(session, 'exports/export-account'))
    return (
      <Text size="sm">
        <Trans>You may only read, so you cannot export.</Trans>
      </Text>
    );
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {hasObjects
          ? t`A dry run is a quick look: it shows what an export would change now, and keeps nothing. To have the changes approved or applied later, make a plan below.`
          : t`A dry run shows what an export would write, and writes nothing.`}
      </Text>
      <RunButtons
        now={t`Export now`}
        isRunning={run.isPending}
        disabledBecause={enabled ? undefined : t`The account is disabled; enable it to export.`}
        runDisabledBecause={
          session.accounts !== null
            ? t`An export writes every host, and you are restricted to accounts: you can do a dry run, and leave the real run to a cron group or another administrator.`
            : isElsewhere
              ? t`It is being exported, see above. You can export it again when that has ended.`
              : undefined
        }
        onTry={() => run.mutate({ account: name, dry_run: true })}
        onRun={() =>
          confirm({
            title: t`Export all hosts to ${name}?`,
            ...exportQuestion({ hasObjects, dryRun: isDry && run.data?.status !== 'failed' ? run.data : undefined }),
            yes: t`Export`,
            onYes: () => run.mutate({ account: name, dry_run: false }, { onSuccess: ({ message }) => onEnd(message) }),
          })
        }
      />
      {run.isPending && (
        <RunProgress
          label={isDry ? t`Dry run` : t`Exporting`}
          progress={run.progress}
          isShownAbove={mayList && !isDry}
        />
      )}
      {run.isError && <Problem error={run.error} />}
      {run.isSuccess && <ExportOutcome outcome={run.data} isDry={isDry} />}
    </Stack>
  );
}

function ExportOutcome({ outcome, isDry }: { readonly outcome: Outcome; readonly isDry: boolean }) {
  const { message, summary, failures, failures_total, plan, changes = [], changes_total = 0 } = outcome;
  const { documents = [], documents_total = 0, empty_fields = [] } = outcome;
  return (
    <Stack>
      <RunOutcome
        title={isDry ? DRY_RUN_TITLES[endingOf(outcome)] : EXPORT_TITLES[exportEndingOf(outcome)]}
        ending={exportEndingOf(outcome)}
        message={message}
        figures={[
          [t`Seen`, summary.seen],
          [isDry ? t`Would be written` : t`Written`, summary.written],
          [t`Unchanged`, summary.unchanged],
          [isDry ? t`Would fail` : t`Failed`, summary.failed],
        ]}
        milliseconds={summary.duration_ms}
      />
      {plan !== undefined && (
        <TextLink size="sm" to="/plans/$plan" params={{ plan }}>
          <Trans>The plan with all changes</Trans>
        </TextLink>
      )}
      <RunList title={t`Planned changes`} shown={changes.length} total={changes_total} counted="changes">
        <EntryList entries={changes} empty="" />
      </RunList>
      <EmptyFields names={empty_fields} hosts={summary.written + summary.unchanged} />
      <ExportedFiles documents={documents} total={documents_total} isDry={isDry} />
      <RunRows
        title={isDry ? t`Hosts that would not be written` : t`Hosts that were not written`}
        rows={failures}
        total={failures_total}
        label={t`hosts not written`}
        columns={FAILURES}
        rowKey={({ hostname }) => hostname}
      />
    </Stack>
  );
}

const FAILURES: readonly Column<Outcome['failures'][number]>[] = [
  cell.text('hostname', t`Hostname`, ({ hostname }) => hostname),
  cell.text('reason', t`Why`, ({ reason }) => reason),
];
