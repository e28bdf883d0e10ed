import type { ReactNode } from 'react';
import type { OfferedName } from '../../offered-operations.ts';
import type { CallError } from '../calls/call.ts';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { isBusy } from '../cron/group-state.tsx';
import { useActiveRuns } from '../runs/use-active-runs.ts';
import { accountNeeds, ImportAllAgain } from './account-needs.tsx';
import type { Need } from './need.tsx';
import { cronNeeds, driftNeeds, planNeeds, ruleNeeds, systemNeeds, waitingNeeds } from './other-needs.tsx';

/** The needs found, as far as the answers have arrived. */
interface Looked {
  readonly needs: readonly Need[];
  readonly of: readonly Asked[];
  /** A button that solves several needs at once. */
  readonly forAll?: ReactNode;
  /** Whether there is anything that could fail; `undefined` if the answer does not include it. */
  readonly isSetUp?: boolean | undefined;
}

interface Asked {
  readonly isLoading: boolean;
  readonly isError: boolean;
  readonly error: CallError | null;
  refetch(): unknown;
}

interface NeedSource {
  /** Its needs are shown to users who may call it. */
  readonly operation: OfferedName;
  readonly useNeeds: (enabled: boolean) => Looked;
}

const MOST_WAITING = 20;
const MOST_PLANS = 50;

/** Sources of needs, in the order in which they are listed. */
export const NEED_SOURCES: readonly NeedSource[] = [
  { operation: 'rules/list-waiting', useNeeds: useWaitingNeeds },
  { operation: 'syncer/list-account-runs', useNeeds: useAccountNeeds },
  { operation: 'cron/list-groups', useNeeds: useCronNeeds },
  { operation: 'plans/list-plans', useNeeds: usePlanNeeds },
  { operation: 'system/run-doctor', useNeeds: useSystemNeeds },
  { operation: 'rules/rule-failures', useNeeds: useRuleNeeds },
];

function useWaitingNeeds(enabled: boolean): Looked {
  const answer = useAnswer('rules/list-waiting', { limit: MOST_WAITING }, { enabled, everySeconds: 30 });
  return { needs: waitingNeeds(answer.data?.waiting ?? []), of: [answer] };
}

function useAccountNeeds(enabled: boolean): Looked {
  const session = useSession();
  const answer = useAnswer('syncer/list-account-runs', {}, { enabled, everySeconds: 30 });
  const active = useActiveRuns(may(session, 'runs/list-active'));
  const running = new Set(active.data?.runs.map(({ account }) => account));
  // Until active runs are known, an account whose first run is under way would be listed as one that never ran.
  const runs = active.isLoading ? [] : (answer.data?.runs ?? []).filter(({ name }) => !running.has(name));
  const isSetUp = answer.data && answer.data.runs.length > 0;
  const needs = accountNeeds(runs, session, Date.now());
  return { needs, of: [answer, active], isSetUp, forAll: <ImportAllAgain key="imports" runs={runs} /> };
}

function useCronNeeds(enabled: boolean): Looked {
  const session = useSession();
  const answer = useAnswer(
    'cron/list-groups',
    {},
    { enabled, everySeconds: (data) => (data?.groups.some(isBusy) ? 2 : 15) },
  );
  const isSetUp = answer.data && answer.data.groups.length > 0;
  return { needs: cronNeeds(answer.data?.groups ?? [], session), of: [answer], isSetUp };
}

function usePlanNeeds(enabled: boolean): Looked {
  const answer = useAnswer('plans/list-plans', { limit: MOST_PLANS }, { enabled, everySeconds: 30 });
  const plans = answer.data?.plans ?? [];
  return { needs: [...planNeeds(plans), ...driftNeeds(plans)], of: [answer] };
}

function useSystemNeeds(enabled: boolean): Looked {
  const answer = useAnswer('system/run-doctor', {}, { enabled, everySeconds: 60 });
  return { needs: systemNeeds(answer.data?.findings ?? []), of: [answer] };
}

function useRuleNeeds(enabled: boolean): Looked {
  // Finding this out evaluates all hosts, so it is not asked often.
  const seldom = { everySeconds: 600, freshSeconds: 300 };
  const answer = useAnswer('rules/rule-failures', { every_project: true }, { enabled, ...seldom });
  const isSetUp = answer.data && answer.data.hosts > 0;
  return { needs: ruleNeeds(answer.data?.failures ?? []), of: [answer], isSetUp };
}
