import { plainWording } from '../../kit/worded.ts';
import { valueText } from '../../kit/words/value.ts';
import type { JsonObject, RuleType, Wording } from '../../ports/index.ts';

/** An outcome of a rule in one line, as its type words it; its members as they are where the type words nothing, or fails. */
export function outcomeLine(type: Pick<RuleType, 'line'> | undefined, outcome: JsonObject): Wording {
  try {
    const line = type?.line?.(outcome);
    if (line !== undefined) return line;
  } catch {
    // A type of a plugin words outcomes that it does not expect badly; the rule is shown all the same.
  }
  const members = Object.entries(outcome).map(([name, value]) => `${name}: ${valueText(value)}`);
  return plainWording(members.join(', '));
}
