import type { JsonObject, JsonValue } from '../../ports/index.ts';
import { isJsonObject } from '../json/json-object.ts';
import { furtherMember } from './further-member.ts';

const MEMBER = 'cmdb_templates';

/**
 * The templates that a record names itself, by name or id, from its further members as JSON text. Templates that match one of
 * its labels are not among them: labels come from sources, and who may see a host is no source's to say.
 */
export function templatesOf(members: string): readonly string[] {
  return namesOf(furtherMember(members, MEMBER));
}

/** The same of a document. What is no list names none. */
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
