import { jsonMembers, jsonOfMembers } from '../../../app/kernel/json/json-text.ts';

/** The type of rule documents that hold the seats of monitoring folders. */
export const FOLDER_POOL_TYPE = 'cmk_folder_pool';

/** The document under another id: `_id` keeps its place, or comes first when there was none. */
export function documentWithId(document: string, id: string): string {
  const members = jsonMembers(document);
  const value = JSON.stringify({ $oid: id });
  if (members.has('_id')) return jsonOfMembers(members.set('_id', value));
  return jsonOfMembers([['_id', value], ...members]);
}

/** The folder that a pool document is about; `undefined` when it names none. */
export function folderOfPool(document: string): string | undefined {
  const text = jsonMembers(document).get('folder_name');
  if (text === undefined) return undefined;
  const name: unknown = JSON.parse(text);
  return typeof name === 'string' ? name : undefined;
}

/** The pool document after so many seats were given back; `undefined` when none of them was taken. */
export function poolWithSeatsBack(document: string, seats: number): string | undefined {
  const members = jsonMembers(document);
  const taken = Number(JSON.parse(members.get('folder_seats_taken') ?? '0'));
  if (!Number.isFinite(taken) || taken <= 0) return undefined;
  return jsonOfMembers(members.set('folder_seats_taken', String(Math.max(0, taken - seats))));
}
