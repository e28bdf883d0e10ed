import type { JsonObject } from '../../ports/json.ts';
import { memberText } from './members.ts';
import { looksAtList } from './pasted-list.ts';

/** Whether the rule is about the rows of its list. */
export function isListRule(document: JsonObject): boolean {
  return looksAtList(memberText(document, 'rule_source'), memberText(document, 'list_source'));
}
