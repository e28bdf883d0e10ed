/**
 * The description of one member of the documents of a rule type. One table of these produces the checks, the JSON Schema, the
 * docs and the forms. Plain data and no schema library, because every command that evaluates rules loads the rule types, and
 * loading one costs 80 ms at cold start.
 */
export interface RuleMember {
  readonly kind: 'text' | 'flag' | 'integer' | 'choice' | 'value' | 'reference' | 'list' | 'object' | 'date';
  readonly description: string;
  /** Label in forms; its own name if absent. */
  readonly title?: string;
  /** The kind of names its text holds, which forms suggest during typing. */
  readonly offers?: 'attribute' | 'playbook' | 'provider' | 'receiver' | 'rule_type' | 'subject';
  readonly required?: boolean;
  /** Values of a `choice`. */
  readonly choices?: readonly string[];
  /** Labels of the choices in forms, in the same order; the choices themselves if absent. */
  readonly choiceTitles?: readonly string[];
  /** For a `list`: the members of its elements; for an `object`: its members. */
  readonly members?: RuleMembers;
  readonly items?: RuleMember;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Sealed, hashed, or to be sealed: forms do not show it. */
  readonly secret?: boolean;
}

export type RuleMembers = Readonly<Record<string, RuleMember>>;
