import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { SinceWhen } from '../accounts/incomplete.tsx';
import { UndoneText } from '../accounts/undone.tsx';
import { may, type Session, useSession } from '../calls/session.ts';
import { showProblem, useAction } from '../calls/use-call.ts';
import { confirm } from '../parts/confirm.ts';
import { TextLink } from '../parts/links.tsx';
import { When } from '../parts/when.tsx';
import type { Need } from './need.tsx';

export type AccountRun = OfferedOutput<'syncer/list-account-runs'>['runs'][number];

const CHANGED_BY_RUNS = ['runs', 'syncer', 'accounts', 'hosts', 'search'];

const DAY_MS = 24 * 60 * 60 * 1000;

/** Enabled accounts whose last import or export failed, was stopped or undone, is older than a day, or never was: the worst first. */
export function accountNeeds(runs: readonly AccountRun[], session: Session, now: number): readonly Need[] {
  return runs
    .filter(({ enabled }) => enabled)
    .flatMap((run): Need[] => {
      const { name, last_run, undone } = run;
      const row = {
        about: { kind: 'account', name } as const,
        name: <AccountLink run={run} session={session} />,
        text: <What run={run} />,
        action: <RunNow run={run} />,
      };
      if (last_run === null) return [{ ...row, severity: 2, badge: t`never ran`, tone: 'warning' }];
      if (last_run.outcome === 'cancelled') {
        const badge = last_run.kind === 'import' ? t`import cancelled` : t`export cancelled`;
        return [{ ...row, severity: 2, badge, tone: 'warning' }];
      }
      if (last_run.has_error)
        return [
          { ...row, severity: 3, badge: last_run.kind === 'import' ? t`import failed` : t`export failed`, tone: 'bad' },
        ];
      if (undone !== null) return [{ ...row, severity: 2, badge: t`import undone`, tone: 'warning' }];
      if (now - Date.parse(last_run.time) > DAY_MS) return [{ ...row, severity: 1, badge: t`silent`, tone: 'warning' }];
      return [];
    })
    .sort((a, b) => b.severity - a.severity);
}

function AccountLink({ run, session }: { readonly run: AccountRun; readonly session: Session }) {
  if (may(session, 'accounts/show-accounts')) {
    return (
      <TextLink inherit to="/accounts/$name" params={{ name: run.name }}>
        {run.name}
      </TextLink>
    );
  }
  return (
    <TextLink inherit to="/runs" search={{ account: run.name }}>
      {run.name}
    </TextLink>
  );
}

function What({ run: { last_run, kind, undone, incomplete } }: { readonly run: AccountRun }) {
  if (last_run === null) return kind === 'source' ? t`was never imported` : t`was never exported to`;
  if (undone !== null) return <UndoneText of={undone} />;
  if (!last_run.has_error) {
    return (
      <Trans>
        last ran <When at={last_run.time} />
      </Trans>
    );
  }
  return (
    <>
      <When at={last_run.time} />: {last_run.message}
      {incomplete !== null && incomplete.runs > 1 && (
        <>
          {' '}
          (<SinceWhen of={incomplete} />)
        </>
      )}
    </>
  );
}

/** Imports or exports again, if the user may. */
function RunNow({ run: { name, kind, last_run, undone } }: { readonly run: AccountRun }) {
  const session = useSession();
  const isImport = kind === 'source';
  const onDone = ({ status, message, waits }: RunEnd): void => {
    if (waits === true) notifications.show({ message: `${name}: ${message}`, color: 'yellow' });
    else if (status === 'failed') showProblem(new Error(message));
    else notifications.show({ message: `${name}: ${message}`, color: 'green' });
  };
  // Reported by the call itself: while it runs, the row of this button is hidden.
  const options = { changes: CHANGED_BY_RUNS, onDone };
  const doImport = useAction('imports/import-account', options);
  const doExport = useAction('exports/export-account', options);
  if (!may(session, isImport ? 'imports/import-account' : 'exports/export-account')) return null;
  const isFirst = last_run === null;
  const start = (): void => (isImport ? doImport.mutate({ account: name }) : doExport.mutate({ account: name }));
  const question = isImport ? (undone === null ? undefined : undoneQuestion(name)) : exportQuestion(name);
  const text = isImport ? importText(isFirst) : exportText(isFirst);
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={doImport.isPending || doExport.isPending}
      // Begins with what is seen, for those who speak to the page.
      aria-label={`${text}: ${name}`}
      onClick={() => (question === undefined ? start() : confirm({ ...question, onYes: start }))}
    >
      {text}
    </Button>
  );
}

/** Imports all sources again whose last import failed, one after the other. */
export function ImportAllAgain({ runs }: { readonly runs: readonly AccountRun[] }) {
  const session = useSession();
  const [isImporting, setImporting] = useState(false);
  // All failures are shown together at the end.
  const again = useAction('imports/import-account', { changes: CHANGED_BY_RUNS, showsProblem: true });
  const failed = runs.filter(
    ({ enabled, kind, last_run, undone }) => enabled && kind === 'source' && last_run?.has_error && undone === null,
  );
  if ((failed.length < 2 && !isImporting) || !may(session, 'imports/import-account')) return null;
  const start = async (): Promise<void> => {
    setImporting(true);
    const names: string[] = [];
    for (const { name } of failed) {
      const { status } = await again.mutateAsync({ account: name }).catch(() => ({ status: 'failed' }));
      if (status === 'failed') names.push(name);
    }
    setImporting(false);
    if (names.length > 0) showProblem(new Error(t`Failed again: ${{ names: names.join(', ') }}`));
    else notifications.show({ message: plural(failed.length, { other: '# sources imported' }), color: 'green' });
  };
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={isImporting}
      onClick={() => void start()}
      style={{ alignSelf: 'start' }}
    >
      {plural(failed.length, { one: 'Import # failed source again', other: 'Import all # failed sources again' })}
    </Button>
  );
}

interface RunEnd {
  readonly status: string;
  readonly message: string;
  readonly waits?: boolean | undefined;
}

type RunQuestion = Omit<Parameters<typeof confirm>[0], 'onYes'>;

/** Undone changes may return with the next import. */
function undoneQuestion(name: string): RunQuestion {
  return {
    title: t`Import ${name} again?`,
    text: t`An import of it was undone. This one reads the current data of the source, which may be the same again.`,
    yes: t`Import`,
  };
}

function exportQuestion(name: string): RunQuestion {
  return {
    title: t`Export all hosts to ${name}?`,
    text: t`Afterwards the target holds what rules make of the hosts now. A dry run on the page of the account shows before what would change.`,
    yes: t`Export`,
  };
}

function importText(isFirst: boolean): string {
  return isFirst ? t`Import now` : t`Import again`;
}

function exportText(isFirst: boolean): string {
  return isFirst ? t`Export now` : t`Export again`;
}
