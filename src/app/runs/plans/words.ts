import type { EntryOutcome, PlanCounts } from '../../../ports/index.ts';
import { counted, grouped } from '../../words/amounts.ts';

/** What is done with an object, before and after. */
const VERBS = {
  create: ['to make', 'made'],
  update: ['to change', 'changed'],
  move: ['to move', 'moved'],
  adopt: ['to take over', 'taken over'],
  delete: ['to delete', 'deleted'],
} as const;

const ORDER = ['create', 'update', 'move', 'adopt', 'delete'] as const;

/** How the states of a plan are called. */
export const PLAN_STATUS_WORDS = {
  planning: 'being made',
  ready: 'ready',
  refused: 'refused',
  applying: 'being applied',
  interrupted: 'interrupted',
  done: 'done',
  partial: 'partial',
  failed: 'failed',
} as const;

export const PLAN_ACTIONS = ['create', 'update', 'move', 'delete', 'adopt', 'conflict'] as const;

/** What can happen to a change. */
export const ENTRY_OUTCOMES = [
  'done',
  'refused',
  'changed',
  'gone',
  'exists',
  'not_tried',
  'unknown',
  'blocked',
] as const satisfies readonly EntryOutcome[];

/** `3 to make, 1 to delete, 2 conflicts, 40 unchanged`. */
export function countsText(counts: PlanCounts): string {
  const parts = ORDER.flatMap((action) =>
    counts[action] === 0 ? [] : [`${grouped(counts[action])} ${VERBS[action][0]}`],
  );
  if (counts.conflict > 0) parts.push(counted(counts.conflict, 'conflict'));
  if (counts.kept > 0) parts.push(`${grouped(counts.kept)} kept`);
  if (counts.unchanged > 0) parts.push(`${grouped(counts.unchanged)} unchanged`);
  return parts.join(', ') || 'nothing to do';
}

/** `3 made, 1 deleted`. */
export function appliedText(applied: Pick<PlanCounts, (typeof ORDER)[number]>): string {
  const parts = ORDER.flatMap((action) =>
    applied[action] === 0 ? [] : [`${grouped(applied[action])} ${VERBS[action][1]}`],
  );
  return parts.join(', ') || 'nothing was done';
}
