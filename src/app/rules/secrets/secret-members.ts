import { memberText, ownMember } from '../../../kit/document/members.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { namesOfPath } from '../../../kit/json/member-path.ts';
import type { JsonObject, JsonValue, RuleDocument } from '../../../ports/index.ts';

/** A text at a secret member of a document, and the path that identifies it: list elements are given by name. */
export interface SecretText {
  readonly text: string;
  readonly member: string;
  /** As errors say it: elements of lists by their number. */
  readonly path: string;
}

/** The document with what `change` makes of each text at these members; the same object when it changes none. */
export async function changeSecretTexts(
  document: RuleDocument,
  members: readonly string[],
  change: (secret: SecretText) => Promise<string>,
): Promise<RuleDocument> {
  let changed: JsonValue = document;
  for (const member of members)
    changed = await changeAt(changed, namesOfPath(member), { member: '', path: '' }, change);
  return changed as RuleDocument;
}

/** All texts at these members, in their order. */
export function secretTexts(document: RuleDocument, members: readonly string[]): readonly SecretText[] {
  const found: SecretText[] = [];
  for (const member of members) collectAt(document, namesOfPath(member), { member: '', path: '' }, found);
  return found;
}

type Place = Pick<SecretText, 'member' | 'path'>;

async function changeAt(
  value: JsonValue,
  path: readonly string[],
  place: Place,
  change: (secret: SecretText) => Promise<string>,
): Promise<JsonValue> {
  if (Array.isArray(value)) {
    const items: JsonValue[] = [];
    for (const [index, item] of value.entries())
      items.push(await changeAt(item, path, element(place, item, index), change));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const [name, ...rest] = path;
  if (name === undefined) return typeof value === 'string' ? change({ text: value, ...place }) : value;
  if (!isJsonObject(value)) return value;
  const member = ownMember(value, name);
  if (member === undefined) return value;
  const changed = await changeAt(member, rest, inner(place, name), change);
  return changed === member ? value : replaceMember(value, name, changed);
}

function collectAt(value: JsonValue, path: readonly string[], place: Place, found: SecretText[]): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collectAt(item, path, element(place, item, index), found);
    return;
  }
  const [name, ...rest] = path;
  if (name === undefined) {
    if (typeof value === 'string') found.push({ text: value, ...place });
  } else if (isJsonObject(value)) {
    const member = ownMember(value, name);
    if (member !== undefined) collectAt(member, rest, inner(place, name), found);
  }
}

function inner({ member, path }: Place, name: string): Place {
  return { member: joined(member, name), path: joined(path, name) };
}

function element({ member, path }: Place, item: JsonValue, index: number): Place {
  const name = isJsonObject(item) ? memberText(item, 'name') : '';
  return { member: joined(member, name === '' ? String(index) : name), path: joined(path, String(index)) };
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function replaceMember(object: JsonObject, name: string, value: JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, kept]) => [key, key === name ? value : kept]));
}
