import { jsonMembers, jsonOfMembers } from '../../kernel/json/json-text.ts';

/**
 * A change of rule documents that goes with a change of hosts. A store applies it to each document of the type in the same
 * unit, and need not know what it is about.
 */
export interface RuleEffect {
  readonly type: string;
  /** The document afterwards; `undefined` when it stays as it is. */
  change(document: string): string | undefined;
}

/** The type of rule documents that hold the seats of monitoring folders. */
export const FOLDER_POOL_TYPE = 'cmk_folder_pool';

/** Hosts gave their seats back: the pool of each folder has so many taken seats less, but none below 0. */
export function seatsGivenBack(folders: readonly string[]): RuleEffect {
  const counts = new Map<string, number>();
  for (const folder of folders) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return {
    type: FOLDER_POOL_TYPE,
    change(document) {
      const members = jsonMembers(document);
      const folder = parsed(members.get('folder_name'));
      const seats = typeof folder === 'string' ? counts.get(folder) : undefined;
      const taken = Number(parsed(members.get('folder_seats_taken')) ?? 0);
      if (seats === undefined || !Number.isFinite(taken) || taken <= 0) return undefined;
      return jsonOfMembers(members.set('folder_seats_taken', String(Math.max(0, taken - seats))));
    },
  };
}

function parsed(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text);
}
