/**
 * What a rule type says about one member of its documents. One table of these draws the checks, the JSON Schema, the docs
 * and the forms. Plain data and no schema library, because every command that evaluates rules loads the rule types, and
 * loading one costs 80 ms at cold start.
 */
export interface RuleMember {
  readonly kind: 'text' | 'flag' | 'integer' | 'choice' | 'value' | 'reference' | 'list' | 'object' | 'date';
  readonly description: string;
  /** What forms call it; its own name when absent. */
  readonly title?: string;
  /** What its text names, which forms offer while it is typed. */
  readonly offers?: 'attribute' | 'playbook' | 'provider' | 'receiver' | 'rule_type';
  readonly required?: boolean;
  /** Of a `choice`. */
  readonly choices?: readonly string[];
  /** What forms call the choices, in the same order; the choices themselves when absent. */
  readonly choiceTitles?: readonly string[];
  /** Of a `list`: what its elements are; of an `object`: its members. */
  readonly members?: RuleMembers;
  readonly items?: RuleMember;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Sealed, hashed, or to be sealed: forms do not show it. */
  readonly secret?: boolean;
}

export type RuleMembers = Readonly<Record<string, RuleMember>>;
