import { jsonMembers, jsonOfMembers } from '../../../kit/json/json-text.ts';

/** The document under another id: `_id` keeps its place, or comes first when there was none. */
export function documentWithId(document: string, id: string): string {
  const members = jsonMembers(document);
  const value = JSON.stringify({ $oid: id });
  if (members.has('_id')) return jsonOfMembers(members.set('_id', value));
  return jsonOfMembers([['_id', value], ...members]);
}
