import { t } from '@lingui/core/macro';
import type { OfferedOutput } from '../../offered-operations.ts';
import { StatusBadge } from '../parts/status-badge.tsx';
import { PLAN_STATUS_WORDS } from './plan-words.ts';

export type Plan = OfferedOutput<'plans/list-plans'>['plans'][number];

const TONES = {
  planning: 'busy',
  ready: 'quiet',
  refused: 'bad',
  applying: 'busy',
  interrupted: 'warning',
  done: 'good',
  partial: 'warning',
  failed: 'bad',
  discarded: 'quiet',
} as const satisfies Record<Plan['status'], string>;

export function PlanState({ plan }: { readonly plan: Plan }) {
  if (waitsForApproval(plan)) return <StatusBadge tone="warning">{t`waits for approval`}</StatusBadge>;
  return <StatusBadge tone={TONES[plan.status]}>{PLAN_STATUS_WORDS[plan.status]}</StatusBadge>;
}

export function waitsForApproval({ status, needs_approval, approved_by }: Plan): boolean {
  return status === 'ready' && needs_approval && approved_by === null;
}

/** True while it changes by itself. */
export function isBusy({ status }: Plan): boolean {
  return status === 'planning' || status === 'applying';
}

/** True if it is not being made or applied, and has not ended: it can be discarded. */
export function isOpen({ status }: Plan): boolean {
  return status === 'ready' || status === 'refused' || status === 'interrupted';
}

/** True if "Apply" has an effect. */
export function canBeApplied(plan: Plan): boolean {
  if (plan.status === 'interrupted') return true;
  return plan.status === 'ready' && !waitsForApproval(plan) && changesIn(plan) > 0;
}

/** How many changes it has, conflicts not among them. */
export function changesIn({ counts }: Plan): number {
  return counts.create + counts.update + counts.move + counts.adopt + counts.delete;
}
