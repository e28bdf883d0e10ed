import type { JsonObject, JsonValue } from '../../ports/index.ts';
import { isJsonObject } from '../json/json-object.ts';
import { furtherMember } from './further-member.ts';

const MEMBER = 'cmdb_templates';

/**
 * Returns the templates that a record itself names, by name or id, from its further members as JSON text. Templates that match
 * one of its labels are excluded: labels come from sources, and a source must not decide who may see a host.
 */
export function templatesOf(members: string): readonly string[] {
  return namesOf(furtherMember(members, MEMBER));
}

/** Returns the same for a document. A value that is not a list names no templates. */
export function namedTemplates(document: JsonObject): readonly string[] {
  return namesOf(Object.hasOwn(document, MEMBER) ? document[MEMBER] : undefined);
}

function namesOf(list: JsonValue | undefined): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item) => {
    const reference = isJsonObject(item) && Object.hasOwn(item, '$oid') ? item.$oid : item;
    return typeof reference === 'string' && reference !== '' ? reference : [];
  });
}
