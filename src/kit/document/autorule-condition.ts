/** The type of the documents of autorules. */
export const AUTORULES = 'syncer_rule_automation';

/** An autorule body that is wrapped in one condition: the condition and the text inside it. */
interface ConditionedBody {
  /** An expression of templates. */
  readonly condition: string;
  readonly inner: string;
}

const CONDITIONED =
  /^\s*\{%-?\s*if\s+((?:(?!%\}).)+?)\s*-?%\}((?:(?!\{%-?\s*(?:if|elif|else|endif)\b)[\s\S])*)\{%-?\s*endif\s*-?%\}\s*$/;

/** A body that is one condition as a whole, `{% if … %}…{% endif %}`, without others in it; `undefined` for every other. */
export function conditionedBody(text: string): ConditionedBody | undefined {
  const [, condition, inner] = CONDITIONED.exec(text) ?? [];
  return condition === undefined || inner === undefined ? undefined : { condition, inner };
}
