import { memberText, ownMember } from '../../../kit/document/members.ts';
import { plainWording, worded } from '../../../kit/worded.ts';
import type { JsonObject, Wording } from '../../../ports/index.ts';
import { valueWording } from '../rule-types/value-wording.ts';

/** A change of an attribute in one line. */
export function rewriteLine(outcome: JsonObject): Wording {
  const old = memberText(outcome, 'old_attribute_name');
  const attribute = memberText(outcome, 'new_attribute_name');
  const mode = memberText(outcome, 'overwrite_name');
  const made = mode === 'convert_list' ? worded`${{ attribute }} (of each element)` : plainWording(attribute);
  const renamed = old === '' ? made : mode === '' ? plainWording(old) : worded`${{ old }} → ${{ made }}`;
  const value = memberText(outcome, 'overwrite_value');
  if (value === '') return renamed;
  const newValue = valueWording(ownMember(outcome, 'new_value'));
  if (value === 'split') return worded`${{ renamed }}, split by ${{ separator: newValue }}`;
  return worded`${{ renamed }} = ${{ value: newValue }}`;
}
