import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { textOf } from '../forms/document.ts';
import { useMember } from '../forms/draft.ts';
import { CONDITIONS } from '../forms/row-words.ts';
import { RowsField } from '../forms/rows-field.tsx';
import { ConditionKind, ConditionRow } from './fields/condition-row.tsx';
import { NEW_CONDITION } from './fields/new-condition.ts';

const MODES = [
  { value: 'all', label: t`all conditions hold` },
  { value: 'any', label: t`one condition holds` },
  { value: 'anyway', label: t`always` },
];

/** When a rule hits. */
export function ConditionsField({ count }: { readonly count: ReactNode }) {
  const mode = useMember(['condition_typ']);
  const current = textOf(mode.value);
  const isKnown = MODES.some(({ value }) => value === current);
  return (
    <>
      <RowsField
        path={['conditions']}
        title={t`Conditions`}
        words={CONDITIONS}
        empty={EMPTY[current] ?? t`There are no conditions.`}
        newRow={NEW_CONDITION}
        rowHead={(path, row) => <ConditionKind path={path} row={row} />}
        head={
          <NativeSelect
            label={t`The rule hits when`}
            size="xs"
            data={isKnown ? MODES : [{ value: current, label: current || t`choose` }, ...MODES]}
            value={current}
            error={mode.error}
            disabled={mode.isReadOnly}
            onChange={(event) => mode.set(event.currentTarget.value)}
          />
        }
      >
        {(path, row) => <ConditionRow path={path} row={row} />}
      </RowsField>
      {count}
    </>
  );
}

const EMPTY: Readonly<Record<string, string>> = {
  all: t`Without conditions the rule hits every host.`,
  any: t`Without conditions the rule hits no host. Add one.`,
  anyway: t`The rule hits every host; conditions are not evaluated.`,
};
