import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import type { ActiveRun } from './run-words.ts';

interface RunsElsewhere {
  readonly kind: ActiveRun['kind'];
  readonly account: string;
  /** True if the run was started here. */
  readonly isOwn: boolean;
}

/** Whether another user's run of this kind is active for an account; unknown, and so false, to users who may not list runs. */
export function useRunsElsewhere({ kind, account, isOwn }: RunsElsewhere): boolean {
  const runs = useActiveRuns(may(useSession(), 'runs/list-active')).data?.runs ?? [];
  return !isOwn && runs.some((run) => run.account === account && run.kind === kind);
}

/** Asked often while something runs, so that it moves, and else seldom. */
export function useActiveRuns(enabled = true) {
  return useAnswer(
    'runs/list-active',
    {},
    { enabled, everySeconds: (answer) => ((answer?.runs.length ?? 0) > 0 ? 1 : 5) },
  );
}
