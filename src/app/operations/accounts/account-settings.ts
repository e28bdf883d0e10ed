import type { JsonObject, JsonValue, RuleDocument } from '../../../ports/index.ts';
import { memberObjects, memberText } from '../../../ports/rule-members.ts';

/** Settings that are members of the document itself; all others are options of the type. */
const TEXT_MEMBERS = new Set(['address', 'username', 'parent', 'object_type']);
const FLAG_MEMBERS = new Set(['is_master', 'is_child', 'is_object', 'check_for_valid_hostname', 'require_fqdn']);

export type AccountSettings = Readonly<Record<string, string>>;

/** The document with settings laid over it; an empty text takes an option away. */
export function withSettings(document: RuleDocument, settings: AccountSettings): RuleDocument {
  const members: Record<string, JsonValue> = {};
  const fields = new Map<string, JsonObject>(
    memberObjects(document, 'custom_fields').map((field) => [memberText(field, 'name'), field]),
  );
  for (const [name, value] of Object.entries(settings)) {
    if (TEXT_MEMBERS.has(name)) members[name] = value;
    else if (FLAG_MEMBERS.has(name)) members[name] = ['true', '1', 'yes', 'on'].includes(value.toLowerCase());
    else if (value === '') fields.delete(name);
    else fields.set(name, { name, value });
  }
  return { ...document, ...members, custom_fields: [...fields.values()] };
}

/** The options of a document as texts, for checking; sealed ones stand for themselves. */
export function optionsOf(document: RuleDocument): Record<string, string> {
  return Object.fromEntries(
    memberObjects(document, 'custom_fields').map((field) => [
      memberText(field, 'name'),
      memberText(field, 'value') || memberText(field, 'value_crypted'),
    ]),
  );
}
