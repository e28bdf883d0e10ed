import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { List, Text } from '@mantine/core';
import { Value } from '../../parts/value.tsx';
import { PanelTitle } from '../panel-title.tsx';
import type { Explained, RuleName } from './explained.ts';
import { RuleLink } from './rule-link.tsx';

interface DesiredObjectsProps {
  readonly explained: Explained;
  readonly onRule: (rule: RuleName) => void;
}

/** Shows the state that the host wants in the target, object by object. */
export function DesiredObjects({ explained: { target, explanation }, onRule }: DesiredObjectsProps) {
  if (target === undefined || target.wanted === null) return null;
  const { wanted, problem, account } = target;
  const title = t`Desired state in ${account}`;
  return (
    <section aria-label={title}>
      <PanelTitle title={title} count={wanted.length} />
      {problem !== undefined && (
        <Text size="sm" c="red" className="wrap-anywhere">
          {problem}
        </Text>
      )}
      {wanted.length === 0 && problem === undefined && (
        <Text size="sm" c="dimmed">
          {explanation.included
            ? t`The target has no desired object for it.`
            : t`Nothing, because it does not go there.`}
        </Text>
      )}
      {wanted.map(({ kind, key, fields, rule }) => (
        <div key={JSON.stringify([kind, key])}>
          <Text size="sm" fw={500} className="wrap-anywhere">
            {kind} {key}
            {rule !== null && rule.type !== '' && (
              <Text span inherit fw={400} c="dimmed">
                {' '}
                <Trans>
                  by <RuleLink rule={rule} onRule={onRule} />
                </Trans>
              </Text>
            )}
          </Text>
          <List size="sm" listStyleType="none" withPadding>
            {Object.entries(fields).map(([name, value]) => (
              <List.Item key={name} className="wrap-anywhere">
                {name}: <Value value={value} />
              </List.Item>
            ))}
          </List>
        </div>
      ))}
    </section>
  );
}
