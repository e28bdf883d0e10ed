import type { Wording } from '../../../ports/errors.ts';
import type { JsonObject, JsonValue } from '../../../ports/json.ts';
import type { RuleStage } from '../../../ports/rule-type.ts';
import type { TargetHost } from '../../../ports/target.ts';
import type { RuleMode } from './envelope.ts';
import type { AttributeSource } from './host-attributes.ts';

/** The origin of a value. `core` is the host's own name. */
export type Origin =
  | AttributeSource
  | { readonly kind: 'core' }
  | ({ readonly kind: 'rule' } & RuleName)
  | ({ readonly kind: 'row' } & RuleRowName);

export interface RuleName {
  readonly type: string;
  readonly id: string;
  readonly name: string;
}

/** A row of the pasted list of a rule. */
interface RuleRowName extends RuleName {
  /** The line in the list, counted from 1. */
  readonly line: number;
}

/** One moment in the life of an attribute or variable. */
export interface ValueStep {
  readonly origin: Origin;
  /** The value before the step; absent if there was none. */
  readonly before?: JsonValue;
  /** The value after the step; absent if the step removed it. */
  readonly after?: JsonValue;
}

export interface AttributeExplanation {
  readonly name: string;
  readonly value: JsonValue;
  readonly origin: Origin;
  /** Oldest first; the last one gave the value. */
  readonly steps: readonly ValueStep[];
  /** Whether the inventory shows it. */
  readonly shown: boolean;
  /** The filter line that decided; absent without filter rules, and when no line fits. */
  readonly filter?: { readonly rule: RuleName; readonly line: string };
  /** True if a custom variable of the same name takes its place. */
  readonly replaced: boolean;
  /** Why the inventory leaves it out although no filter hides it. */
  readonly withheld?: string;
  /** Its name in the inventory, if that is another one. */
  readonly servedAs?: string;
}

export interface VariableExplanation {
  readonly name: string;
  readonly value: JsonValue;
  readonly expression: boolean;
  readonly origin: Origin;
  readonly steps: readonly ValueStep[];
  /** Why the inventory leaves it out. */
  readonly withheld?: string;
  /** Its name in the inventory, if that is another one. */
  readonly servedAs?: string;
}

export interface ConditionExplanation {
  /** The condition in words: `label "site" equals "codfw"`. */
  readonly text: string;
  /** Its parts, for pages in other languages. */
  readonly wording: Pick<Wording, 'template' | 'values'>;
  /** Absent when the rule was decided before. */
  readonly holds?: boolean;
  /** True for the condition that decided the rule. */
  readonly decided: boolean;
  /** The text that the host's side was compared with; of a template, the rendered text. Absent if nothing is compared. */
  readonly needle?: string;
  /** The attributes (or the hostname) that were looked at, at most ten. Empty when the host has none such. */
  readonly looked: readonly LookedAt[];
  /** The attribute that satisfied the condition. */
  readonly matched?: LookedAt;
}

export interface LookedAt {
  readonly name: string;
  readonly value: JsonValue;
  /** Why the comparison cannot be made with this value: `is no time`. It then does not hold, and its negation does. */
  readonly obstacle?: string;
}

export interface RuleExplanation extends RuleName {
  readonly stage: RuleStage;
  readonly sortField: number;
  readonly mode: RuleMode;
  /** The row that it is about, for a rule over a pasted list. */
  readonly line?: number;
  /** `stopped`: a rule with `last_match` hit before, or a later row of the name counts. `left`: a filter took the host out before. */
  readonly outcome: 'hit' | 'missed' | 'stopped' | 'left' | 'broken';
  readonly conditions: readonly ConditionExplanation[];
  /** The rule's changes, in words and values. */
  readonly changes: readonly RuleChange[];
  readonly errors: readonly string[];
  /**
   * True when its texts or conditions read fields of accounts. Secret ones are placeholders here, in comparisons too: what
   * the rule does with the real one may differ.
   */
  readonly readsAccounts: boolean;
  /** True when this rule ended the run of its type. */
  readonly endedRun: boolean;
}

export interface RuleChange {
  readonly what: 'attribute' | 'variable' | 'filter' | 'ignored' | 'playbook' | 'outcome';
  /** For an outcome, the ident of its rule type. */
  readonly name: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** Why a host has what it has. Made without secrets of accounts: a placeholder stands for each. */
export interface HostExplanation {
  readonly hostname: string;
  readonly included: boolean;
  /** The filter rule that took the host out. */
  readonly ignoredBy?: RuleName;
  /** Why the inventory leaves a host of this name out. */
  readonly leftOut?: string;
  /** The row that the host is; absent for a stored host. */
  readonly row?: RuleRowName & { readonly columns: Readonly<Record<string, string>> };
  readonly attributes: readonly AttributeExplanation[];
  readonly variables: readonly VariableExplanation[];
  readonly groups: readonly string[];
  /** The decisions of the target's rules, by rule type; absent if there are none. */
  readonly outcomes?: TargetHost['outcomes'];
  /** In order of evaluation. */
  readonly rules: readonly RuleExplanation[];
  /** The host as the inventory serves it, expressions included. */
  readonly result: JsonObject;
}
