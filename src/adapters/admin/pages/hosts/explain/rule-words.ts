import { t } from '@lingui/core/macro';
import type { RuleExplanation } from './explained.ts';

/** Purposes of the rules of a stage. */
export const STAGE_TITLES: Readonly<Record<RuleExplanation['stage'], string>> = {
  attributes: t`set attributes for every consumer`,
  rewrite: t`rename and rewrite`,
  filter: t`choose what is shown`,
  variables: t`add variables`,
  target: t`decide what it is to be in the target`,
  playbooks: t`playbooks to run when a rule begins to match`,
};

/** Whether a rule hit. */
export const OUTCOME_WORDS: Readonly<Record<RuleExplanation['outcome'], string>> = {
  hit: t`hit`,
  missed: t`no hit`,
  stopped: t`no run`,
  left: t`no run`,
  broken: t`broken`,
};

/** Explains the outcome of a rule in words; the deciding conditions follow. */
export function reasonOf({ outcome, mode, conditions, line }: RuleExplanation): string {
  if (line !== undefined) {
    return outcome === 'stopped' ? t`a later row counts, not line ${line} of its list` : t`line ${line} of its list`;
  }
  if (outcome === 'stopped') return t`an earlier rule with last match hit`;
  if (outcome === 'left') return t`an earlier filter rule, or its lifecycle_state, hid the host`;
  if (outcome === 'broken') return t`it cannot run`;
  if (mode === 'anyway') return t`hits every host`;
  if (conditions.length === 0) {
    return mode === 'all' ? t`has no conditions` : t`needs one of its conditions, and has none`;
  }
  if (mode === 'all') return outcome === 'hit' ? t`all of its conditions hold` : t`needs all of its conditions`;
  return outcome === 'hit' ? t`needs one of its conditions` : t`none of its conditions holds`;
}
