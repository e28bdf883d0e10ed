import { t } from '@lingui/core/macro';
import { getRouteApi } from '@tanstack/react-router';
import { RunProgress } from '../accounts/run-outcome.tsx';
import { useAnswer } from '../calls/use-call.ts';
import { useRun } from '../calls/use-run.ts';
import { Answer } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Section } from '../parts/section.tsx';
import { PlanActions } from './plan-actions.tsx';
import { PlanEntries } from './plan-entries.tsx';
import { PlanFacts } from './plan-facts.tsx';
import { PlanFilters } from './plan-filters.tsx';
import { PlanNotes } from './plan-notes.tsx';
import { changesIn, isBusy, type Plan } from './plan-state.tsx';
import { useKinds } from './use-kinds.ts';

const route = getRouteApi('/plans/$plan');

const ABOVE = [{ to: '/plans', label: t`Plans` }];
const PAGE_SIZE = 100;

/** One plan: its state, the possible actions, and its changes. */
export function PlanPage() {
  const { plan: id } = route.useParams();
  const { after = 0, ...filter } = route.useSearch();
  const page = useAnswer(
    'plans/show-plan',
    { plan: id, limit: PAGE_SIZE, after, ...filter },
    { everySeconds: (answer) => (answer !== undefined && isBusy(answer) ? 2 : 60) },
  );
  const apply = useRun('plans/apply-plan', ['plans', 'accounts', 'syncer']);
  const plan = page.data;
  const kinds = useKinds(plan?.account);
  return (
    <Page
      title={plan === undefined ? t`Plan` : t`Plan for ${{ account: plan.account }}`}
      above={ABOVE}
      description={id}
      actions={
        plan !== undefined && (
          <PlanActions plan={plan} isApplying={apply.isPending} onApply={() => apply.mutate({ plan: id })} />
        )
      }
    >
      <Answer of={page}>
        {(shown) => (
          <>
            <PlanFacts plan={shown} />
            <PlanNotes plan={shown} />
            {apply.isError && <Problem error={apply.error} />}
            {(apply.isPending || isBusy(shown)) && <Underway plan={shown} progress={apply.progress} />}
            <Section title={t`Changes`}>
              <PlanFilters kinds={kinds} hasOutcomes={shown.applied_by !== null} />
              <PlanEntries entries={shown.entries} next={shown.next} isOld={page.isPlaceholderData} />
            </Section>
          </>
        )}
      </Answer>
    </Page>
  );
}

interface UnderwayProps {
  readonly plan: Plan;
  /** Progress of an application that this page began; others are visible in the plan. */
  readonly progress: ReturnType<typeof useRun<'plans/apply-plan'>>['progress'];
}

function Underway({ plan, progress }: UnderwayProps) {
  if (plan.status === 'planning') return <RunProgress label={t`The plan is being made`} progress={undefined} />;
  const { done, failed } = plan;
  const known = { done: done + failed, total: changesIn(plan) + plan.counts.conflict };
  return <RunProgress label={t`Applying`} progress={progress ?? known} />;
}
