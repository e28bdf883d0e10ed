import { t } from '@lingui/core/macro';
import { getRouteApi } from '@tanstack/react-router';
import { numberText } from '../language/numbers.ts';
import { AccountLink } from '../parts/account-link.tsx';
import { Fact, Facts } from '../parts/facts.tsx';
import { TextLink } from '../parts/links.tsx';
import { When } from '../parts/when.tsx';
import { type Plan, PlanState } from './plan-state.tsx';
import { Deed } from './plans-table.tsx';

const route = getRouteApi('/plans/$plan');

const FIGURES = [
  [t`To make`, 'create'],
  [t`To change`, 'update'],
  [t`To move`, 'move'],
  [t`To take over`, 'adopt'],
  [t`To delete`, 'delete'],
  [t`Conflicts`, 'conflict'],
] as const;

/** Shows the state of a plan: who acted on it, and how much it changes. The counts link to their changes. */
export function PlanFacts({ plan }: { readonly plan: Plan }) {
  const { counts, account, approved_by, applied_by, done, failed } = plan;
  return (
    <>
      <Facts label={t`Plan`}>
        <Fact label={t`Status`}>
          <PlanState plan={plan} />
        </Fact>
        <Fact label={t`Account`}>
          <AccountLink name={account} />
        </Fact>
        <Fact label={t`Made`}>
          <Deed by={plan.made_by} at={plan.made_at} />
        </Fact>
        {approved_by !== null && (
          <Fact label={t`Approved`}>
            <Deed by={approved_by} at={plan.approved_at} />
          </Fact>
        )}
        {applied_by !== null && (
          <Fact label={t`Applied`}>
            <Deed by={applied_by} at={plan.applied_at} />
          </Fact>
        )}
        {plan.ended_at !== null && (
          <Fact label={t`Ended`}>
            <When at={plan.ended_at} />
          </Fact>
        )}
      </Facts>
      <Facts label={t`Counts`}>
        {FIGURES.filter(([, action]) => counts[action] > 0).map(([label, action]) => (
          <Fact key={action} label={label}>
            <ActionLink action={action} count={counts[action]} />
          </Fact>
        ))}
        {plan.drift > 0 && <Fact label={t`Changed there`}>{numberText(plan.drift)}</Fact>}
        <Fact label={t`Unchanged`}>{numberText(counts.unchanged)}</Fact>
        {counts.kept > 0 && <Fact label={t`Kept`}>{numberText(counts.kept)}</Fact>}
        {applied_by !== null && <Fact label={t`Done`}>{numberText(done)}</Fact>}
        {applied_by !== null && <Fact label={t`Not done`}>{numberText(failed)}</Fact>}
      </Facts>
    </>
  );
}

interface ActionLinkProps {
  readonly action: (typeof FIGURES)[number][1];
  readonly count: number;
}

function ActionLink({ action, count }: ActionLinkProps) {
  const { plan } = route.useParams();
  return (
    <TextLink inherit to="/plans/$plan" params={{ plan }} search={{ action }} resetScroll={false}>
      {numberText(count)}
    </TextLink>
  );
}
