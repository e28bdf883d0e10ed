import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import type { PastRun } from './run-words.ts';

/** Number of later runs with undos to look at. */
const MOST = 50;

/** Returns the newest run that undid an import, if the log has one. */
export function useUndone(run: PastRun | undefined): PastRun | undefined {
  const session = useSession();
  const isImport = run?.kind === 'import' && run.outcome !== 'undone';
  const found = useAnswer(
    'runs/list-runs',
    { kind: 'import', account: run?.name ?? '', outcome: 'undone', limit: MOST },
    { enabled: isImport && may(session, 'runs/list-runs') },
  );
  return isImport ? found.data?.runs.find(({ undid }) => undid === run.place) : undefined;
}
