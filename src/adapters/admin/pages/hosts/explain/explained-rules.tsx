import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { SegmentedControl, Text, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { PanelTitle } from '../panel-title.tsx';
import type { RuleExplanation } from './explained.ts';
import { ExplainedRule } from './explained-rule.tsx';
import { STAGE_TITLES } from './rule-words.ts';

const route = getRouteApi('/hosts/$hostname');

interface ExplainedRulesProps {
  readonly rules: readonly RuleExplanation[];
  /** True if the search leaves some out. */
  readonly isFiltered: boolean;
}

/** Shows every rule in the order in which it ran, and the decisive conditions. */
export function ExplainedRules({ rules, isFiltered }: ExplainedRulesProps) {
  const { rules: wanted } = route.useSearch();
  const navigate = route.useNavigate();
  const shown = rules.filter(({ outcome }) => wanted === undefined || (outcome === 'hit') === (wanted === 'hit'));
  if (rules.length === 0)
    return isFiltered ? null : (
      <Text c="dimmed">
        <Trans>There are no rules for this inventory.</Trans>
      </Text>
    );
  return (
    <section aria-label={t`Rules`}>
      <PanelTitle title={t`Rules, in the order in which they run`} count={shown.length}>
        <SegmentedControl
          size="xs"
          aria-label={t`Which rules`}
          value={wanted ?? ''}
          onChange={(value) => {
            const next = value === '' ? undefined : (value as NonNullable<typeof wanted>);
            void navigate({ search: (now) => ({ ...now, rules: next }), replace: true, resetScroll: false });
          }}
          data={[
            { value: '', label: t`All` },
            { value: 'hit', label: t`Hit` },
            { value: 'missed', label: t`Did not hit` },
          ]}
        />
      </PanelTitle>
      {shown.length === 0 && (
        <Text c="dimmed" size="sm">
          {wanted === 'hit' ? t`No rule hit.` : t`Every rule hit.`}
        </Text>
      )}
      {runsOf(shown).map(({ type, stage, rules: run }) => (
        <div key={type}>
          <Title order={3} size="sm" fw={500} mt="sm" c="dimmed">
            {type}: {STAGE_TITLES[stage]}
          </Title>
          <ul className="explained" aria-label={t`Rules of type ${type}`}>
            {run.map((rule) => (
              <ExplainedRule key={`${rule.id} ${rule.outcome}`} rule={rule} />
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

interface Run {
  readonly type: string;
  readonly stage: RuleExplanation['stage'];
  readonly rules: readonly RuleExplanation[];
}

/** Returns the rules by type, types in the order in which they run; broken rules are listed with their type. */
function runsOf(rules: readonly RuleExplanation[]): readonly Run[] {
  const types = [...new Map(rules.map(({ type, stage }) => [type, stage]))];
  return types.map(([type, stage]) => ({ type, stage, rules: rules.filter((rule) => rule.type === type) }));
}
