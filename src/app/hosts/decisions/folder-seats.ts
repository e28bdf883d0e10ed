import { jsonMembers, jsonOfMembers } from '../../../kit/json/json-text.ts';
import type { ChangedBy } from './host-draft.ts';

/**
 * The effect of a host's change on rule documents, in the same unit. It is plain data, so a store which cannot write both at once
 * keeps it with the host until it is done, and need not know its meaning.
 */
export interface RuleEffect extends ChangedBy {
  readonly name: keyof typeof RULE_CHANGES;
  readonly subject: string;
}

/** A change of each document of a type. */
export interface RuleChange {
  readonly type: string;
  /** The document afterwards; `undefined` when it stays as it is. */
  change(document: string): string | undefined;
}

/** The type of rule documents that hold the seats of monitoring folders. */
export const FOLDER_POOL_TYPE = 'cmk_folder_pool';

const RULE_CHANGES = { seat_given_back: seatsGivenBack };

/** Returns the combined changes of several effects, with each type of documents once. */
export function ruleChangesOf(effects: readonly Pick<RuleEffect, 'name' | 'subject'>[]): readonly RuleChange[] {
  const names = new Set(effects.map(({ name }) => name));
  return [...names].map((name) => {
    const same = effects.filter((effect) => effect.name === name);
    return RULE_CHANGES[name](same.map(({ subject }) => subject));
  });
}

/** Returns the change that frees one seat per host in the pool of its folder; the number of taken seats never drops below 0. */
export function seatsGivenBack(folders: readonly string[]): RuleChange {
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
