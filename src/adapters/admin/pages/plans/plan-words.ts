import { plural, t } from '@lingui/core/macro';
import type { ENTRY_OUTCOMES, PLAN_ACTIONS } from '../../../../app/exports/plans/words.ts';
import { numberText } from '../language/numbers.ts';
import type { Plan } from './plan-state.tsx';

/** How the states of a plan are called. */
export const PLAN_STATUS_WORDS: Readonly<Record<Plan['status'], string>> = {
  planning: t`being made`,
  ready: t`ready`,
  refused: t`refused`,
  applying: t`being applied`,
  interrupted: t`interrupted`,
  done: t`done`,
  partial: t`partial`,
  failed: t`failed`,
  discarded: t`discarded`,
};

/** Words for the actions on an object. */
export const ACTION_WORDS: Readonly<Record<(typeof PLAN_ACTIONS)[number], string>> = {
  create: t`create`,
  update: t`update`,
  move: t`move`,
  adopt: t`adopt`,
  delete: t`delete`,
  conflict: t`conflict`,
};

/** Words for the outcome of a change. */
export const OUTCOME_WORDS: Readonly<Record<(typeof ENTRY_OUTCOMES)[number], string>> = {
  done: t`done`,
  refused: t`refused`,
  changed: t`changed there meanwhile`,
  gone: t`gone there`,
  exists: t`there already`,
  not_tried: t`not tried`,
  unknown: t`answer lost`,
  blocked: t`blocked`,
};

type Counts = Plan['counts'];

/** `3 to make, 1 to delete, 2 conflicts, 40 unchanged`. */
export function countsText(counts: Counts): string {
  const count = (name: keyof Counts): string => numberText(counts[name]);
  const { conflict } = counts;
  const parts: readonly (readonly [keyof Counts, string])[] = [
    ['create', t`${{ count: count('create') }} to make`],
    ['update', t`${{ count: count('update') }} to change`],
    ['move', t`${{ count: count('move') }} to move`],
    ['adopt', t`${{ count: count('adopt') }} to take over`],
    ['delete', t`${{ count: count('delete') }} to delete`],
    ['conflict', plural(conflict, { one: '# conflict', other: '# conflicts' })],
    ['kept', t`${{ count: count('kept') }} kept`],
    ['unchanged', t`${{ count: count('unchanged') }} unchanged`],
  ];
  const shown = parts.flatMap(([name, text]) => (counts[name] > 0 ? [text] : []));
  return shown.join(', ') || t`nothing to do`;
}
