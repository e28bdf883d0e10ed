import { sameValue } from '../../../../kit/json/json-text.ts';
import type { JsonValue, ValueChange } from '../../../../ports/index.ts';
import { getOwn } from './own-property.ts';

type Fields = Readonly<Record<string, JsonValue>>;

/** What changes between two label sets, by key; order of members does not count, text and number differ. */
export function labelChanges(before: Fields, after: Fields): readonly ValueChange[] {
  const changes: ValueChange[] = [];
  for (const key of Object.keys(before)) {
    const old = getOwn(before, key);
    const now = getOwn(after, key);
    if (old === undefined || sameValue(old, now)) continue;
    const path = `labels.${key}`;
    changes.push(now === undefined ? { path, before: old } : { path, before: old, after: now });
  }
  for (const [key, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, key)) changes.push({ path: `labels.${key}`, after: value });
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
