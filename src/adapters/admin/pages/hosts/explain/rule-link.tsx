import { Trans } from '@lingui/react/macro';
import { Anchor } from '@mantine/core';
import type { RuleName } from './explained.ts';

interface RuleLinkProps {
  readonly rule: RuleName;
  readonly onRule: (rule: RuleName) => void;
}

/** Shows the name of a rule; links to its effect, further down on the page. */
export function RuleLink({ rule, onRule }: RuleLinkProps) {
  const { name } = rule;
  return (
    <Anchor component="button" type="button" inherit ta="left" className="wrap-anywhere" onClick={() => onRule(rule)}>
      <Trans>rule “{name}”</Trans>
    </Anchor>
  );
}
