import { plural, t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { DataTable } from '../../parts/data-table.tsx';
import { selectColumn, useSelection } from '../../parts/selection.tsx';
import { type FoundRule, ruleColumns } from '../rule-columns.tsx';
import { isRemovable, type RuleTypeInfo } from '../rule-type.ts';
import type { Hits } from '../use-hits.ts';
import { afterMove, dropped } from './places.ts';
import { RuleActions } from './rule-actions.tsx';
import { DragHandle, SortableRow, SortableRules } from './sortable-rules.tsx';
import { useMove } from './use-move.tsx';

interface RulesTableProps {
  readonly type: RuleTypeInfo;
  readonly rules: readonly FoundRule[];
  readonly hits: Hits;
  /** The search that found them. */
  readonly text: string;
  readonly mayChange: boolean;
  readonly empty: ReactNode;
}

/** Rules in the order in which they run: to be chosen, moved, and changed several at once. */
export function RulesTable({ type, rules, hits, text, mayChange, empty }: RulesTableProps) {
  const move = useMove(type);
  const moving = move.isPending ? move.variables.step : undefined;
  const shown = moving === undefined ? rules : afterMove(rules, moving);
  const selection = useSelection(
    text,
    shown.map(({ id }) => id),
  );
  const { selected, select } = selection;
  const isMoved = mayChange && isRemovable(type);
  const columns = ruleColumns(type, hits, !mayChange);

  /** A ticked rule takes the other ticked ones along. */
  const takenWith = (id: string): ReadonlySet<string> => (selected.has(id) ? selected : new Set([id]));

  function drop(id: string, over: string): void {
    const moved = takenWith(id);
    const step = dropped(shown, moved, { id, over });
    if (step === undefined) return;
    const rule = shown.find((one) => one.id === id);
    const anchor = shown.find((one) => one.id === (step.place.after ?? step.place.before));
    const other = anchor?.name || (anchor?.id ?? '');
    const what = moved.size === 1 ? rule?.name || id : plural(moved.size, { one: '# rule', other: '# rules' });
    const isOne = moved.size === 1;
    const isAfter = step.place.after !== undefined;
    const said = isOne
      ? isAfter
        ? t`${{ name: what }} runs after ${other}.`
        : t`${{ name: what }} runs before ${other}.`
      : isAfter
        ? t`${{ rules: what }} run after ${other}.`
        : t`${{ rules: what }} run before ${other}.`;
    move.mutate({ step, said, provider: rule?.project ?? undefined });
  }

  const table = (
    <DataTable
      caption={type.title}
      minWidth={type.conditional ? 900 : 600}
      columns={[
        ...(isMoved
          ? [
              {
                id: 'move',
                header: t`Move`,
                isHeaderHidden: true,
                cell: ({ id, name }: FoundRule) => <DragHandle name={name || id} />,
              },
            ]
          : []),
        selectColumn(
          selection,
          ({ id }: FoundRule) => id,
          ({ name, id }) => name || id,
        ),
        ...columns,
      ]}
      rows={shown}
      rowKey={(rule) => rule.id}
      {...(isMoved && {
        rowAs: (rule: FoundRule, cells) => (
          <SortableRow id={rule.id} together={selected}>
            {cells}
          </SortableRow>
        ),
      })}
      empty={empty}
    />
  );
  return (
    <>
      <RuleActions type={type} selected={selected} select={select} page={shown} text={text} mayChange={mayChange} />
      {isMoved ? (
        <SortableRules rules={shown} countOf={(id) => takenWith(id).size} onDrop={drop}>
          {table}
        </SortableRules>
      ) : (
        table
      )}
    </>
  );
}
