import { Text } from '@mantine/core';
import { may, useSession } from '../../calls/session.ts';
import { TextLink } from '../../parts/links.tsx';
import type { RuleExplanation } from './explained.ts';

/** Links to the rule for users who may see rules. */
export function RuleTitle({ rule: { type, id, name, outcome } }: { readonly rule: RuleExplanation }) {
  const weight = outcome === 'hit' ? 600 : 400;
  if (!may(useSession(), 'rules/show-rule')) {
    return (
      <Text span inherit fw={weight}>
        {name}
      </Text>
    );
  }
  return (
    <TextLink inherit fw={weight} to="/rules/$type/$id" params={{ type, id }}>
      {name}
    </TextLink>
  );
}
