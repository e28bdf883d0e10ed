import { memberText, ownMember } from '../../kit/document/members.ts';
import { canonicalJson } from '../../kit/json/canonical-json.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import { MASK } from '../../kit/masking/secret-mask.ts';
import type { JsonObject, JsonValue, RuleDocument, RuleType, ValueChange } from '../../ports/index.ts';
import { maskedDocument } from '../rules/secrets/masked-documents.ts';
import { secretTexts } from '../rules/secrets/secret-members.ts';
import { secretPaths } from '../rules/secrets/secret-paths.ts';
import { writtenMembers } from './applied-marks.ts';

/**
 * Returns the differences between two states of a document, field by field: elements of lists are compared by their name if all
 * have one, else by their place. Secrets are masked; for a changed one, only the fact is reported.
 */
export function fieldChanges(type: RuleType, before: RuleDocument, after: RuleDocument): readonly ValueChange[] {
  const shown = (document: RuleDocument): JsonObject => writtenMembers(maskedDocument(type, document), type);
  return [...objectChanges(shown(before), shown(after), ''), ...secretChanges(type, before, after)];
}

function secretChanges(type: RuleType, before: RuleDocument, after: RuleDocument): readonly ValueChange[] {
  const old = new Map(secretTexts(before, secretPaths(type, before)).map(({ member, text }) => [member, text]));
  return secretTexts(after, secretPaths(type, after))
    .filter(({ member, text }) => old.has(member) && old.get(member) !== text)
    .map(({ member }) => ({ path: member, before: MASK, after: MASK }));
}

function objectChanges(before: JsonObject, after: JsonObject, path: string): readonly ValueChange[] {
  const names = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...names].flatMap((name) => changes(ownMember(before, name), ownMember(after, name), inner(path, name)));
}

function changes(before: JsonValue | undefined, after: JsonValue | undefined, path: string): readonly ValueChange[] {
  if (before === undefined || after === undefined) {
    return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
  }
  if (canonicalJson(before) === canonicalJson(after)) return [];
  if (isJsonObject(before) && isJsonObject(after)) return objectChanges(before, after, path);
  if (Array.isArray(before) && Array.isArray(after)) return listChanges(before, after, path);
  return [{ path, before, after }];
}

function listChanges(before: readonly JsonValue[], after: readonly JsonValue[], path: string): readonly ValueChange[] {
  const [old, now] = [byName(before), byName(after)];
  if (old !== undefined && now !== undefined) {
    const found = [...new Set([...now.keys(), ...old.keys()])].flatMap((name) =>
      changes(old.get(name), now.get(name), inner(path, name)),
    );
    // The same elements in another order.
    return found.length > 0 ? found : [{ path, before, after }];
  }
  const isOfObjects = [...before, ...after].every((item) => isJsonObject(item));
  if (!isOfObjects) return [{ path, before, after }];
  const longest = Math.max(before.length, after.length);
  return Array.from({ length: longest }, (_, index) =>
    changes(before[index], after[index], inner(path, String(index))),
  ).flat();
}

/** `undefined` where an element has no name, or two have the same. */
function byName(list: readonly JsonValue[]): ReadonlyMap<string, JsonValue> | undefined {
  const names = new Map(list.map((item) => [isJsonObject(item) ? memberText(item, 'name') : '', item]));
  return names.size === list.length && !names.has('') ? names : undefined;
}

function inner(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
