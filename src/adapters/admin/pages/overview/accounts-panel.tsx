import { Text } from '@mantine/core';
import type { OfferedOutput } from '../../offered-operations.ts';
import { SinceWhen } from '../accounts/incomplete.tsx';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { TextLink } from '../parts/links.tsx';
import { When } from '../parts/when.tsx';
import { Lines, OverviewPanel } from './overview-panel.tsx';

type Run = OfferedOutput<'syncer/list-account-runs'>['runs'][number];

const DAY_MS = 24 * 60 * 60 * 1000;

/** Enabled accounts whose last import or export failed, is older than a day, or never was. */
export function AccountsPanel() {
  const session = useSession();
  const seesAccounts = may(session, 'accounts/show-accounts');
  const answer = useAnswer('syncer/list-account-runs', {}, { everySeconds: 30 });
  const wrong = answer.data === undefined ? undefined : answer.data.runs.filter(isWorthALook).sort(worstFirst);
  const room = seesAccounts ? (
    <TextLink inherit to="/accounts">
      Accounts
    </TextLink>
  ) : (
    <TextLink inherit to="/logs">
      Logs
    </TextLink>
  );
  return (
    <OverviewPanel
      title={
        seesAccounts ? (
          <TextLink inherit to="/accounts">
            Imports and exports
          </TextLink>
        ) : (
          'Imports and exports'
        )
      }
      problems={answer.data?.runs.some(({ enabled }) => enabled) === true ? wrong?.length : undefined}
    >
      <Answer of={answer}>
        {({ runs }) =>
          wrong === undefined || wrong.length === 0 ? (
            <Good runs={runs} seesAccounts={seesAccounts} />
          ) : (
            <Lines
              more={room}
              lines={wrong.map((run) => ({
                key: run.name,
                name: <AccountLink run={run} seesAccounts={seesAccounts} />,
                text: <What run={run} />,
              }))}
            />
          )
        }
      </Answer>
    </OverviewPanel>
  );
}

function isWorthALook({ enabled, last_run }: Run): boolean {
  if (!enabled) return false;
  return last_run === null || last_run.has_error || Date.now() - Date.parse(last_run.time) > DAY_MS;
}

/** Those that failed, the latest first; then those that never ran, and those that have not run for long. */
function worstFirst({ last_run: a }: Run, { last_run: b }: Run): number {
  const rank = (run: Run['last_run']): number => (run === null ? 1 : run.has_error ? 0 : 2);
  return rank(a) - rank(b) || Date.parse(b?.time ?? '') - Date.parse(a?.time ?? '') || 0;
}

function AccountLink({ run, seesAccounts }: { readonly run: Run; readonly seesAccounts: boolean }) {
  if (seesAccounts) {
    return (
      <TextLink inherit to="/accounts/$name" params={{ name: run.name }}>
        {run.name}
      </TextLink>
    );
  }
  const source = `${run.kind === 'source' ? 'import' : 'export'}:${run.name}`;
  return (
    <TextLink inherit to="/logs" search={{ source }}>
      {run.name}
    </TextLink>
  );
}

function What({ run: { last_run, kind, incomplete } }: { readonly run: Run }) {
  if (last_run === null) return kind === 'source' ? 'was never imported' : 'was never exported to';
  if (!last_run.has_error) {
    return (
      <>
        last ran <When at={last_run.time} />
      </>
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

function Good({ runs, seesAccounts }: { readonly runs: readonly Run[]; readonly seesAccounts: boolean }) {
  const enabled = runs.filter((run) => run.enabled).length;
  if (enabled > 0) {
    return (
      <Text size="sm">{enabled === 1 ? 'The only account' : `All ${enabled} accounts`} ran in the last 24 hours.</Text>
    );
  }
  return (
    <Text size="sm" c="dimmed">
      No account imports or exports.{' '}
      {seesAccounts && (
        <>
          <TextLink inherit to="/accounts/new">
            Add a source
          </TextLink>{' '}
          to begin.
        </>
      )}
    </Text>
  );
}
