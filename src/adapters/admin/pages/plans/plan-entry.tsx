import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Text } from '@mantine/core';
import type { OfferedOutput } from '../../offered-operations.ts';
import { HostLink } from '../hosts/host-link.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { RulePageLink } from '../rules/rule-page-link.tsx';
import { EntryFields } from './entry-fields.tsx';
import { ACTION_WORDS, OUTCOME_WORDS } from './plan-words.ts';

export type PlanEntry = OfferedOutput<'plans/show-plan'>['entries'][number];

const COLOURS = {
  create: 'green',
  update: 'blue',
  move: 'grape',
  adopt: 'cyan',
  delete: 'red',
  conflict: 'orange',
} as const satisfies Record<PlanEntry['action'], string>;

/** Shows one change of a plan: its object and rule, field by field, and its outcome. */
export function EntryOfPlan({ entry }: { readonly entry: PlanEntry }) {
  const { action, kind, key, previous_key, drift, fields, reason, outcome } = entry;
  return (
    <li className="plan-entry">
      <div>
        <Text size="sm" component="div" className="wrap-anywhere">
          <Badge component="span" size="sm" variant="light" color={COLOURS[action]} mr={6}>
            {ACTION_WORDS[action]}
          </Badge>
          <Text span inherit c="dimmed">
            {kind}
          </Text>{' '}
          <Text span inherit fw={600}>
            {key}
          </Text>
          {previous_key !== null && (
            <Text span inherit c="dimmed">
              {' '}
              <Trans>was {previous_key}</Trans>
            </Text>
          )}
        </Text>
        <Text size="xs" c="dimmed" component="div" className="wrap-anywhere">
          <WantedBy entry={entry} />
          {entry.rule !== null && <RuleOf rule={entry.rule} />}
        </Text>
      </div>
      <div>
        {drift && (
          <Text size="xs" c="dimmed">
            <Trans>Drift: what Muster had written was changed there.</Trans>
          </Text>
        )}
        <EntryFields fields={fields} isNew={action === 'create'} />
        {reason !== '' && (
          <Text size="sm" className="wrap-anywhere">
            {reason}
          </Text>
        )}
      </div>
      {outcome !== null && (
        <div>
          <StatusBadge tone={outcome === 'done' ? 'good' : 'bad'}>{OUTCOME_WORDS[outcome]}</StatusBadge>
        </div>
      )}
    </li>
  );
}

function WantedBy({ entry: { hostname, action } }: { readonly entry: PlanEntry }) {
  if (hostname === null) return action === 'delete' ? t`no host needs it` : null;
  if (action === 'delete') {
    return (
      <Trans>
        was wanted by <HostLink hostname={hostname} />
      </Trans>
    );
  }
  return (
    <Trans>
      for <HostLink hostname={hostname} />
    </Trans>
  );
}

/** Shows the rule that causes the change; a name that is not one of the target's own rules has no link. */
function RuleOf({ rule }: { readonly rule: NonNullable<PlanEntry['rule']> }) {
  const text = rule.name === '' ? rule.id : rule.name;
  if (rule.type === '') return t`, by rule ${text}`;
  return (
    <Trans>
      , by rule <RulePageLink rule={rule}>{text}</RulePageLink>
    </Trans>
  );
}
