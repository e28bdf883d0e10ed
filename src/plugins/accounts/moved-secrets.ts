import { memberObjects, memberText, ownMember } from '../../kit/document/members.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import type { JsonValue } from '../../ports/json.ts';
import type { RuleDocument } from '../../ports/rule.ts';

/** A past account without the password and the options that the present one names a reference for. */
export function withoutMovedSecrets(past: RuleDocument, present: RuleDocument): RuleDocument {
  const moved = new Set(
    memberObjects(present, 'custom_fields')
      .filter((field) => memberText(field, 'value_from') !== '')
      .map((field) => memberText(field, 'name')),
  );
  const entries = Object.entries(past).filter(([name]) => !isMovedPassword(name, present));
  const fields = ownMember(past, 'custom_fields');
  if (!Array.isArray(fields) || !fields.some((field) => isMovedField(field, moved)))
    return entries.length === Object.keys(past).length ? past : Object.fromEntries(entries);
  const kept = fields.filter((field) => !isMovedField(field, moved));
  return Object.fromEntries(entries.map(([name, value]) => [name, name === 'custom_fields' ? kept : value]));
}

function isMovedPassword(member: string, present: RuleDocument): boolean {
  return (member === 'password' || member === 'password_crypted') && memberText(present, 'password_from') !== '';
}

function isMovedField(field: JsonValue, moved: ReadonlySet<string>): boolean {
  return isJsonObject(field) && moved.has(memberText(field, 'name')) && memberText(field, 'value_crypted') !== '';
}
