import { ownMember, scalarText } from '../../../kit/document/members.ts';
import type { JsonObject, JsonValue } from '../../../ports/json.ts';

/** The names in a member: a list, or one text with commas between them. */
export function namesIn(document: JsonObject, member: string): readonly string[] {
  return namesOf(ownMember(document, member));
}

export function namesOf(value: JsonValue | undefined): readonly string[] {
  const names = Array.isArray(value) ? value.map(scalarText) : (scalarText(value) ?? '').split(',');
  return [...new Set(names.map((name = '') => name.trim()).filter((name) => name !== ''))];
}
