import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Value } from '../../parts/value.tsx';
import type { ExplainedValue, Origin, RuleName } from './explained.ts';
import { originText } from './origin-text.ts';
import { RuleLink } from './rule-link.tsx';

interface ExplainedValuesProps {
  readonly label: string;
  readonly values: readonly ExplainedValue[];
  /** The account that owns the host. */
  readonly account: string | null;
  readonly onRule: (rule: RuleName) => void;
}

/** Shows values, each with its origin, the value before, and the reason it is hidden. */
export function ExplainedValues({ label, values, account, onRule }: ExplainedValuesProps) {
  const giver = (origin: Origin) =>
    origin.kind === 'rule' ? <RuleLink rule={origin} onRule={onRule} /> : originText(origin, account);
  return (
    <ul className="explained" aria-label={label}>
      {values.map(({ name, value, origin, earlier, others, isExpression, hidden }) => (
        <li key={name} className="explained-value" aria-label={name}>
          <Text component="div" size="sm" fw={500} className="wrap-anywhere">
            {name}
          </Text>
          <div>
            <Value value={value} />
          </div>
          <Text component="div" size="sm">
            {giver(origin)}
            {isExpression && (
              <Badge ml="xs" variant="default" radius="sm" tt="none" fw={400}>
                <Trans>evaluated by the consumer</Trans>
              </Badge>
            )}
          </Text>
          <div className="explained-past">
            {earlier.map((step, index) => (
              // Steps have no names, and their order is all that they are.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <Text key={index} component="div" size="sm" c="dimmed">
                <InsteadOf value={step.value} giver={giver(step.origin)} />
              </Text>
            ))}
            {others.map(({ account: other, value: theirs }) => (
              <Text key={other} component="div" size="sm" c="dimmed">
                <Trans>
                  account {other} says <Value value={theirs} />, with less precedence
                </Trans>
              </Text>
            ))}
            {hidden !== undefined && hidden !== 'nothing' && (
              <Text component="div" size="sm" c="dimmed">
                <WhyHidden hidden={hidden} onRule={onRule} />
              </Text>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

function InsteadOf({ value, giver }: { readonly value: unknown; readonly giver: ReactNode }) {
  return (
    <Trans>
      instead of <Value value={value} /> from {giver}
    </Trans>
  );
}

interface WhyHiddenProps {
  readonly hidden: Exclude<NonNullable<ExplainedValue['hidden']>, 'nothing'>;
  readonly onRule: (rule: RuleName) => void;
}

function WhyHidden({ hidden, onRule }: WhyHiddenProps) {
  if ('withheld' in hidden) {
    const { withheld } = hidden;
    return t`Not served: ${withheld}`;
  }
  const { rule, line } = hidden;
  return (
    <Trans>
      <RuleLink rule={rule} onRule={onRule} /> says: {line}
    </Trans>
  );
}
