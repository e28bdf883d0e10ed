/** The type of the documents of autorules. */
export const AUTORULES = 'syncer_rule_automation';

/** An autorule body that is wrapped in one condition: the condition and the text inside it. */
interface ConditionedBody {
  /** An expression of templates. */
  readonly condition: string;
  readonly inner: string;
}

const CONDITIONED =
  /^\{%-?\s*if\b((?:(?!%\})[\s\S])+)%\}((?:(?!\{%-?\s*(?:if|elif|else|endif)\b)[\s\S])*)\{%-?\s*endif\s*-?%\}$/;

/**
 * As a form shows it, a body that is one condition as a whole, `{% if … %}…{% endif %}`, without others in it; `undefined` for every
 * other. The parsed template decides for which hosts a rule is made.
 */
export function conditionedBody(text: string): ConditionedBody | undefined {
  const [, written = '', inner = ''] = CONDITIONED.exec(text.trim()) ?? [];
  const condition = written.replace(/-$/, '').trim();
  return condition === '' ? undefined : { condition, inner };
}
