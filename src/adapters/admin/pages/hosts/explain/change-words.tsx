import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { RuleChange } from '../../../../../app/rules/engine/explanation.ts';
import { Value } from '../../parts/value.tsx';

/** What a rule changed, in words and values. */
export function ChangeWords({ change: { what, name, before, after } }: { readonly change: RuleChange }) {
  if (what === 'ignored') return t`hides the host from this inventory or export`;
  if (what === 'filter') return name;
  if (what === 'outcome') {
    return (
      <Trans>
        decides <Value value={after} />
      </Trans>
    );
  }
  if (what === 'playbook') return t`runs ${name}`;
  const was = before !== undefined && (
    <Text span inherit c="dimmed">
      <Trans>
        , which was <Value value={before} />
      </Trans>
    </Text>
  );
  if (after === undefined) {
    return (
      <Trans>
        removes {what} <b>{name}</b>
        {was}
      </Trans>
    );
  }
  return (
    <Trans>
      sets {what} <b>{name}</b> to <Value value={after} />
      {was}
    </Trans>
  );
}
