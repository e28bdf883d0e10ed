import type { EntryOutcome } from '../../../ports/index.ts';

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
  discarded: 'discarded',
} as const;

export const PLAN_ACTIONS = ['create', 'update', 'move', 'delete', 'adopt', 'conflict'] as const;

/** The possible outcomes of a change. */
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
