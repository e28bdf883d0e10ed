import { Text } from '@mantine/core';
import type { RuleChange } from '../../../../../app/rules/engine/explanation.ts';
import { Value } from '../../parts/value.tsx';

/** What a rule changed, in words and values. */
export function ChangeWords({ change: { what, name, before, after } }: { readonly change: RuleChange }) {
  if (what === 'ignored') return 'hides the host from this inventory or export';
  if (what === 'filter') return name;
  if (what === 'outcome') {
    return (
      <>
        decides <Value value={after} />
      </>
    );
  }
  if (what === 'playbook') return `runs ${name}`;
  const was = before !== undefined && (
    <Text span inherit c="dimmed">
      , which was <Value value={before} />
    </Text>
  );
  if (after === undefined) {
    return (
      <>
        removes {what} <b>{name}</b>
        {was}
      </>
    );
  }
  return (
    <>
      sets {what} <b>{name}</b> to <Value value={after} />
      {was}
    </>
  );
}
