import { jsonMembers, sameJson, sameValue } from '../../../kit/json/json-text.ts';
import type { HostChange, JsonObject, JsonValue, ValueChange } from '../../../ports/index.ts';

/** The part of one decision that the history keeps. */
export type Remembered = Pick<HostChange, 'kind' | 'changes'>;

/** Returns the history entry for a host that moved from one account to another. */
export function ownerChange(before: string | null, after: string | null): Remembered {
  return { kind: 'account', changes: [{ path: 'account', before, after }] };
}

/** Returns the differences between two label sets, for the history: removed and changed ones first, then the new ones. */
export function labelChanges(before: string, after: string): ValueChange[] {
  const old = JSON.parse(before) as JsonObject;
  const now = JSON.parse(after) as JsonObject;
  const changes: ValueChange[] = [];
  for (const key of Object.keys(old)) {
    const value = old[key] as JsonValue;
    const next = Object.hasOwn(now, key) ? now[key] : undefined;
    if (next === undefined) changes.push({ path: `labels.${key}`, before: value });
    else if (!sameValue(value, next)) changes.push({ path: `labels.${key}`, before: value, after: next });
  }
  for (const key of Object.keys(now)) {
    if (!Object.hasOwn(old, key)) changes.push({ path: `labels.${key}`, after: now[key] as JsonValue });
  }
  return changes;
}

/** The change of one inventory section; either side is absent if the section did not or does not exist. */
export function sectionChange(key: string, before: string | undefined, after: string | undefined): ValueChange {
  return {
    path: `inventory.${key}`,
    ...(before === undefined ? {} : { before: parse(before) }),
    ...(after === undefined ? {} : { after: parse(after) }),
  };
}

/** Returns the differences between two inventories, section by section, for the history. */
export function inventoryChanges(before: string, after: string): ValueChange[] {
  const old = jsonMembers(before);
  const now = jsonMembers(after);
  const changes: ValueChange[] = [];
  for (const [key, text] of old) {
    const next = now.get(key);
    if (next === undefined || !sameJson(text, next)) changes.push(sectionChange(key, text, next));
  }
  for (const [key, text] of now) if (!old.has(key)) changes.push(sectionChange(key, undefined, text));
  return changes;
}

function parse(text: string): JsonValue {
  return JSON.parse(text) as JsonValue;
}
