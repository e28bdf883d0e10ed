import { getRouteApi } from '@tanstack/react-router';
import { Fact, Facts } from '../parts/facts.tsx';
import { TextLink } from '../parts/links.tsx';
import { When } from '../parts/when.tsx';
import { type Plan, PlanState } from './plan-state.tsx';
import { Deed } from './plans-table.tsx';

const route = getRouteApi('/plans/$plan');

const FIGURES = [
  ['To make', 'create'],
  ['To change', 'update'],
  ['To move', 'move'],
  ['To take over', 'adopt'],
  ['To delete', 'delete'],
  ['Conflicts', 'conflict'],
] as const;

/** How a plan stands: who did what with it, and how much it changes. The counts lead to their changes. */
export function PlanFacts({ plan }: { readonly plan: Plan }) {
  const { counts, account, approved_by, applied_by, done, failed } = plan;
  return (
    <>
      <Facts label="Plan">
        <Fact label="Status">
          <PlanState plan={plan} />
        </Fact>
        <Fact label="Account">
          <TextLink inherit to="/accounts/$name" params={{ name: account }}>
            {account}
          </TextLink>
        </Fact>
        <Fact label="Made">
          <Deed by={plan.made_by} at={plan.made_at} />
        </Fact>
        {approved_by !== null && (
          <Fact label="Approved">
            <Deed by={approved_by} at={plan.approved_at} />
          </Fact>
        )}
        {applied_by !== null && (
          <Fact label="Applied">
            <Deed by={applied_by} at={plan.applied_at} />
          </Fact>
        )}
        {plan.ended_at !== null && (
          <Fact label="Ended">
            <When at={plan.ended_at} />
          </Fact>
        )}
      </Facts>
      <Facts label="Counts">
        {FIGURES.filter(([, action]) => counts[action] > 0).map(([label, action]) => (
          <Fact key={action} label={label}>
            <ActionLink action={action} count={counts[action]} />
          </Fact>
        ))}
        {plan.drift > 0 && <Fact label="Changed there">{plan.drift.toLocaleString('en')}</Fact>}
        <Fact label="Unchanged">{counts.unchanged.toLocaleString('en')}</Fact>
        {counts.kept > 0 && <Fact label="Kept">{counts.kept.toLocaleString('en')}</Fact>}
        {applied_by !== null && <Fact label="Done">{done.toLocaleString('en')}</Fact>}
        {applied_by !== null && <Fact label="Not done">{failed.toLocaleString('en')}</Fact>}
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
      {count.toLocaleString('en')}
    </TextLink>
  );
}
