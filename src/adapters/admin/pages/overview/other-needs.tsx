import { counted } from '../../../../app/words/amounts.ts';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, type Session } from '../calls/session.ts';
import { type CronGroup, isBusy } from '../cron/group-state.tsx';
import { RunButton } from '../cron/run-buttons.tsx';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { ConfirmButton } from '../parts/waiting.tsx';
import { When } from '../parts/when.tsx';
import { type Plan, waitsForApproval } from '../plans/plan-state.tsx';
import type { Need } from './need.tsx';

type Waiting = OfferedOutput<'rules/list-waiting'>['waiting'][number];
type Failure = OfferedOutput<'rules/rule-failures'>['failures'][number];
type Finding = OfferedOutput<'system/run-doctor'>['findings'][number];

export function cronNeeds(groups: readonly CronGroup[], session: Session): readonly Need[] {
  return groups
    .filter((group) => group.enabled && group.has_error && !isBusy(group))
    .map((group) => ({
      key: `cron ${group.name}`,
      badge: 'cron failed',
      tone: 'bad',
      name: (
        <TextLink inherit to="/cron/$group" params={{ group: group.name }}>
          {group.name}
        </TextLink>
      ),
      text: group.last_message,
      ...(may(session, 'cron/trigger-group') && { action: <RunButton group={group} size="compact-sm" /> }),
    }));
}

/** Documents that do nothing before an administrator confirms them. */
export function waitingNeeds(waiting: readonly Waiting[]): readonly Need[] {
  return waiting.map((document) => ({
    key: `waiting ${document.rule_type} ${document.id}`,
    badge: 'waits',
    tone: 'warning',
    name: <DocumentLink document={document} />,
    text: (
      <>
        {document.acts.join(', ')}; by {document.changed_by}, <When at={document.changed_at} />
      </>
    ),
    action: <ConfirmButton {...document} />,
  }));
}

/** Plans that another administrator must approve of, and the newest of each account where too much would change. */
export function planNeeds(plans: readonly Plan[]): readonly Need[] {
  const newest = newestOfAccounts(plans);
  return plans
    .filter((plan) => waitsForApproval(plan) || (plan.status === 'refused' && newest.has(plan)))
    .map((plan) => ({
      key: `plan ${plan.id}`,
      badge: plan.status === 'refused' ? 'refused' : 'approve',
      tone: plan.status === 'refused' ? 'bad' : 'warning',
      name: (
        <TextLink inherit to="/plans/$plan" params={{ plan: plan.id }}>
          Plan of {plan.account}
        </TextLink>
      ),
      text: plan.status === 'refused' ? plan.message : `made by ${plan.made_by}, waits for another administrator`,
      action: (
        <ButtonLink size="compact-sm" variant="default" to="/plans/$plan" params={{ plan: plan.id }}>
          {plan.status === 'refused' ? 'See why' : 'Review'}
        </ButtonLink>
      ),
    }));
}

/** The newest plan of each account, where objects were changed there and nobody put them back yet. */
export function driftNeeds(plans: readonly Plan[]): readonly Need[] {
  return [...newestOfAccounts(plans)]
    .filter(({ drift, status }) => drift > 0 && status !== 'done' && status !== 'applying')
    .map((plan) => ({
      key: `drift ${plan.id}`,
      badge: 'drift',
      tone: 'warning',
      name: (
        <TextLink inherit to="/accounts/$name" params={{ name: plan.account }}>
          {plan.account}
        </TextLink>
      ),
      text: (
        <>
          {counted(plan.drift, 'object')} changed there since the last export, found <When at={plan.made_at} />
        </>
      ),
      action: (
        <ButtonLink size="compact-sm" variant="default" to="/plans/$plan" params={{ plan: plan.id }}>
          See changes
        </ButtonLink>
      ),
    }));
}

/** Plans come newest first. */
function newestOfAccounts(plans: readonly Plan[]): ReadonlySet<Plan> {
  const newest = new Map<string, Plan>();
  for (const plan of plans) if (!newest.has(plan.account)) newest.set(plan.account, plan);
  return new Set(newest.values());
}

export function ruleNeeds(failures: readonly Failure[]): readonly Need[] {
  return failures.map(({ type, id, name, errors, last_error, last_hostname }) => ({
    key: `rule ${type} ${id}`,
    badge: 'rule error',
    tone: 'bad',
    name: (
      <TextLink inherit to="/rules/$type/$id" params={{ type, id }}>
        {name}
      </TextLink>
    ),
    text: `${last_error} (${counted(errors, 'time')}, last on ${last_hostname})`,
    action: (
      <ButtonLink size="compact-sm" variant="default" to="/rules/$type/$id" params={{ type, id }}>
        Open rule
      </ButtonLink>
    ),
  }));
}

/** What is wrong with rules has rows of its own. */
export function systemNeeds(findings: readonly Finding[]): readonly Need[] {
  return findings
    .filter(({ ok, check }) => !ok && check !== 'rules')
    .map(({ check, message }) => ({
      key: `system ${check}`,
      badge: 'system',
      tone: 'bad',
      name: (
        <TextLink inherit to="/system">
          {check}
        </TextLink>
      ),
      text: message,
    }));
}

/** Where the document is read. */
function DocumentLink({ document: { rule_type, id, name, title } }: { readonly document: Waiting }) {
  const text = `${title}: ${name}`;
  switch (rule_type) {
    case 'accounts':
      return (
        <TextLink inherit to="/accounts/$name" params={{ name }}>
          {text}
        </TextLink>
      );
    case 'users':
      return (
        <TextLink inherit to="/users/$name" params={{ name }}>
          {text}
        </TextLink>
      );
    case 'cron_groups':
      return (
        <TextLink inherit to="/cron/$group" params={{ group: name }}>
          {text}
        </TextLink>
      );
    default:
      return (
        <TextLink inherit to="/rules/$type/$id" params={{ type: rule_type, id }}>
          {text}
        </TextLink>
      );
  }
}
