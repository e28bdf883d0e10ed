import type { JsonValue } from './json.ts';

/** A filter of the templates of rules: `{{ room | floor_of }}`, or with arguments `{{ room | floor_of('north') }}`. */
export interface TemplateFilter {
  /** Lower-case letters, digits and `_`. The filters of the language itself keep their names. */
  readonly id: string;
  /** One line for people. */
  readonly description: string;
  /**
   * Answers at once, with texts, numbers, booleans, lists and objects only, and by nothing but what it is given: what it answers is kept. When it
   * throws, or answers anything else, the template fails, and the rule does what it does when a name is missing.
   */
  apply(value: JsonValue, ...args: readonly JsonValue[]): JsonValue;
}

/** A comparison that conditions of rules can name in addition to `equal`, `in` and the others. */
export interface ConditionOperator {
  /** Lower-case letters, digits and `_`, as documents name it. */
  readonly id: string;
  /** How a condition with it reads, as it is and negated: `is in the network`, `is not in the network`. */
  readonly words: readonly [holds: string, negated: string];
  /** One line for people: what the text to compare with is. */
  readonly description: string;
  /**
   * The test that a text of a condition makes of values. Called once for each text; what it answers is called for every host, answers `true` or
   * `false` at once, and depends on nothing but the value. Throws for a text that it cannot use: such a rule is not stored, and where it is stored
   * already, runs fail. A test that throws counts as a failure of its rule.
   */
  compile(text: string): (value: JsonValue) => boolean;
}

/** Extensions that plugins add to the language of rules. */
export interface RuleLanguage {
  templateFilter(id: string): TemplateFilter | undefined;
  conditionOperator(id: string): ConditionOperator | undefined;
  /** Ids, sorted. */
  conditionOperatorIds(): readonly string[];
}
