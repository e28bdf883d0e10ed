import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, type Session } from '../calls/session.ts';
import { type CronGroup, isBusy } from '../cron/group-state.tsx';
import { RunButton } from '../cron/run-buttons.tsx';
import { AccountLink } from '../parts/account-link.tsx';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { ConfirmButton } from '../parts/waiting.tsx';
import { When } from '../parts/when.tsx';
import { type Plan, waitsForApproval } from '../plans/plan-state.tsx';
import { titleOf } from '../runs/run-words.ts';
import { checkName } from '../system/check-name.ts';
import type { Need } from './need.tsx';

type Waiting = OfferedOutput<'rules/list-waiting'>['waiting'][number];
type Failure = OfferedOutput<'rules/rule-failures'>['failures'][number];
type Finding = OfferedOutput<'system/run-doctor'>['findings'][number];

export function cronNeeds(groups: readonly CronGroup[], session: Session): readonly Need[] {
  return groups
    .filter((group) => group.enabled && group.has_error && !isBusy(group))
    .map((group) => ({
      about: { kind: 'cron', name: group.name },
      severity: 3,
      badge: t`cron failed`,
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

/** Returns documents that have no effect before an administrator confirms them. */
export function waitingNeeds(waiting: readonly Waiting[]): readonly Need[] {
  return waiting.map((document) => ({
    about: { kind: 'waiting', name: `${document.rule_type} ${document.id}` },
    severity: 1,
    badge: t`waits`,
    tone: 'warning',
    name: <DocumentLink document={document} />,
    text: <WaitingText document={document} />,
    action: <ConfirmButton {...document} />,
  }));
}

/** Returns plans that another administrator must approve, and the newest of each account that would change too much. */
export function planNeeds(plans: readonly Plan[]): readonly Need[] {
  const newest = newestOfAccounts(plans);
  return plans
    .filter((plan) => waitsForApproval(plan) || (plan.status === 'refused' && newest.has(plan)))
    .map((plan) => ({
      about: { kind: 'plan', name: plan.id },
      severity: plan.status === 'refused' ? 3 : 1,
      badge: plan.status === 'refused' ? t`refused` : t`approve`,
      tone: plan.status === 'refused' ? 'bad' : 'warning',
      name: (
        <TextLink inherit to="/plans/$plan" params={{ plan: plan.id }}>
          {titleOf('plan', plan.account)}
        </TextLink>
      ),
      text:
        plan.status === 'refused'
          ? plan.message
          : t`made by ${{ name: plan.made_by }}, waits for another administrator`,
      action: (
        <ButtonLink size="compact-sm" variant="default" to="/plans/$plan" params={{ plan: plan.id }}>
          {plan.status === 'refused' ? t`See why` : t`Review`}
        </ButtonLink>
      ),
    }));
}

/** Returns the newest plan of each account in which objects were changed outside and have not been put back yet. */
export function driftNeeds(plans: readonly Plan[]): readonly Need[] {
  return [...newestOfAccounts(plans)]
    .filter(({ drift, status }) => drift > 0 && !['done', 'applying', 'discarded'].includes(status))
    .map((plan) => ({
      about: { kind: 'drift', name: plan.account },
      severity: plan.drift,
      badge: t`drift`,
      tone: 'warning',
      name: <AccountLink name={plan.account} />,
      text: <DriftText plan={plan} />,
      action: (
        <ButtonLink size="compact-sm" variant="default" to="/plans/$plan" params={{ plan: plan.id }}>
          <Trans>See changes</Trans>
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
    about: { kind: 'rule', name: `${type} ${id}` },
    severity: errors,
    badge: t`rule error`,
    tone: 'bad',
    name: (
      <TextLink inherit to="/rules/$type/$id" params={{ type, id }}>
        {name}
      </TextLink>
    ),
    text: t`${last_error} (${plural(errors, { one: '# time', other: '# times' })}, last on ${last_hostname})`,
    action: (
      <ButtonLink size="compact-sm" variant="default" to="/rules/$type/$id" params={{ type, id }}>
        <Trans>Open rule</Trans>
      </ButtonLink>
    ),
  }));
}

/** Findings about rules have rows of their own. */
export function systemNeeds(findings: readonly Finding[]): readonly Need[] {
  return findings
    .filter(({ ok, check }) => !ok && check !== 'rules')
    .map(({ check, message }) => ({
      about: { kind: 'system', name: check },
      severity: 3,
      badge: t`system`,
      tone: 'bad',
      name: (
        <TextLink inherit to="/system">
          {checkName(check)}
        </TextLink>
      ),
      text: message,
    }));
}

function WaitingText({ document }: { readonly document: Waiting }) {
  const what = document.acts.join(', ');
  const name = document.changed_by;
  return (
    <Trans>
      {what}; by {name}, <When at={document.changed_at} />
    </Trans>
  );
}

function DriftText({ plan: { drift: count, made_at } }: { readonly plan: Plan }) {
  return (
    <Trans>
      <Plural value={count} one="# object" other="# objects" /> changed there since the last export, found{' '}
      <When at={made_at} />
    </Trans>
  );
}

/** Links to the page for reading the document. */
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
