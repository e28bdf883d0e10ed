import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { RuleChange } from '../../../../../app/rules/engine/explanation.ts';
import { Value } from '../../parts/value.tsx';

/** Describes a rule's change in words and values. */
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
  return (
    <>
      <ValueChange what={what} name={name} after={after} />
      {before !== undefined && (
        <Text span inherit c="dimmed">
          {', '}
          <Trans>
            which was <Value value={before} />
          </Trans>
        </Text>
      )}
    </>
  );
}

interface ValueChangeProps {
  readonly what: 'attribute' | 'variable';
  readonly name: string;
  /** Absent when it is removed. */
  readonly after: RuleChange['after'] | undefined;
}

function ValueChange({ what, name, after }: ValueChangeProps) {
  if (what === 'attribute') {
    return after === undefined ? (
      <Trans>
        removes attribute <b>{name}</b>
      </Trans>
    ) : (
      <Trans>
        sets attribute <b>{name}</b> to <Value value={after} />
      </Trans>
    );
  }
  return after === undefined ? (
    <Trans>
      removes variable <b>{name}</b>
    </Trans>
  ) : (
    <Trans>
      sets variable <b>{name}</b> to <Value value={after} />
    </Trans>
  );
}
