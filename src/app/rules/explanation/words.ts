import type { ConditionExplanation, Origin, RuleExplanation } from '../engine/explanation.ts';

/** Describes the origin of a value as a person would say it. The view names rules. */
export function originText(origin: Exclude<Origin, { kind: 'rule' }>, account: string | null): string {
  switch (origin.kind) {
    case 'core':
      return 'the name of the host';
    case 'imports':
      return 'what is known of its imports';
    case 'account':
      return 'the account that owns the host';
    case 'label': {
      const giver = origin.account ?? account;
      return giver === null ? 'label' : `label from account ${giver}`;
    }
    case 'inventory':
      return `inventory section ${origin.section}`;
    case 'row':
      return `line ${origin.line} of the list of rule "${origin.name}"`;
    case 'template':
      return `host template "${origin.template}"`;
  }
}

/** The purpose of the rules of each stage. */
export const STAGE_TITLES: Readonly<Record<RuleExplanation['stage'], string>> = {
  attributes: 'set attributes for every consumer',
  rewrite: 'rename and rewrite',
  filter: 'choose what is shown',
  variables: 'add variables',
  target: 'decide what it is to be in the target',
  playbooks: 'playbooks to run when a rule begins to match',
};

/** Whether a rule hit. */
export const OUTCOME_WORDS: Readonly<Record<RuleExplanation['outcome'], string>> = {
  hit: 'hit',
  missed: 'no hit',
  stopped: 'no run',
  left: 'no run',
  broken: 'broken',
};

/** Why a rule did what it did, in words; the deciding conditions follow. */
export function reasonOf({ outcome, mode, conditions, line }: RuleExplanation): string {
  if (line !== undefined) {
    return outcome === 'stopped' ? `a later row counts, not line ${line} of its list` : `line ${line} of its list`;
  }
  if (outcome === 'stopped') return 'an earlier rule with last match hit';
  if (outcome === 'left') return 'an earlier filter rule, or its lifecycle_state, hid the host';
  if (outcome === 'broken') return 'it cannot run';
  if (mode === 'anyway') return 'hits every host';
  if (conditions.length === 0)
    return mode === 'all' ? 'has no conditions' : 'needs one of its conditions, and has none';
  if (mode === 'all') return outcome === 'hit' ? 'all of its conditions hold' : 'needs all of its conditions';
  return outcome === 'hit' ? 'needs one of its conditions' : 'none of its conditions holds';
}

/** Returns the condition that decided, or all of them if all decided. */
export function decisiveOf({ conditions }: RuleExplanation): readonly ConditionExplanation[] {
  const decided = conditions.filter((condition) => condition.decided);
  return decided.length > 0 ? decided : conditions.filter((condition) => condition.holds !== undefined);
}
