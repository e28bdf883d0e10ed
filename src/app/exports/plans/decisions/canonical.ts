import { hash } from 'node:crypto';
import { canonicalJson } from '../../../../kit/json/canonical-json.ts';
import { isJsonObject } from '../../../../kit/json/json-object.ts';
import type { HostRecord, JsonObject, JsonValue, TargetField, TargetKind } from '../../../../ports/index.ts';

/** The same text for values that are the same in this field. */
function comparedText(value: JsonValue, { compare }: TargetField): string {
  if (typeof value === 'string') return PLAIN.test(value) ? `"${value}"` : JSON.stringify(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  if (compare !== 'set' || !Array.isArray(value)) return canonicalJson(value);
  return `{${[...new Set(value.map(canonicalJson))].sort().join(',')}}`;
}

/** Texts that JSON writes as they are, which most are: seen in half the time that writing takes. */
const PLAIN = /^[ !#-[\]-~]*$/;

export function sameValue(left: JsonValue, right: JsonValue, field: TargetField): boolean {
  if (left === right) return true;
  // Most values are texts and numbers, and those that differ are seen here.
  if (typeof left !== 'object' || typeof right !== 'object') return false;
  if (field.compare === 'members' && isJsonObject(left) && isJsonObject(right)) {
    return Object.entries(right).every(([name, value]) => {
      const there = Object.hasOwn(left, name) ? left[name] : undefined;
      return canonicalJson(there ?? null) === canonicalJson(value ?? null);
    });
  }
  return comparedText(left, field) === comparedText(right, field);
}

/** Returns the digest of an object's compared fields: neither those written once nor secret ones. */
export function digestOf(kind: TargetKind, fields: JsonObject): string {
  let text = '';
  for (const { name, title, field } of shapeOf(kind).compared) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (value !== undefined) text += `${title}${comparedText(value, field)},`;
  }
  return sha256(text);
}

/**
 * Returns the digest of everything wanted of an object, to tell two desired states apart; `digest` is that of the compared
 * fields.
 */
export function digestOfAll(kind: TargetKind, fields: JsonObject, digest: string): string {
  const { others } = shapeOf(kind);
  return others.some((name) => Object.hasOwn(fields, name)) ? sha256(canonicalJson(fields)) : digest;
}

interface Shape {
  /** In order of their names. */
  readonly compared: readonly { readonly name: string; readonly title: string; readonly field: TargetField }[];
  /** Names of the others. */
  readonly others: readonly string[];
}

const shapes = new WeakMap<TargetKind, Shape>();

/** A plan asks for the same few kinds a million times. */
function shapeOf(kind: TargetKind): Shape {
  const known = shapes.get(kind);
  if (known !== undefined) return known;
  const isCompared = ({ once, secret }: TargetField): boolean => once !== true && secret !== true;
  const fields = Object.entries(kind.fields);
  const compared = fields.filter(([, field]) => isCompared(field)).sort(([left], [right]) => (left < right ? -1 : 1));
  const shape: Shape = {
    compared: compared.map(([name, field]) => ({ name, title: `${JSON.stringify(name)}:`, field })),
    others: fields.filter(([, field]) => !isCompared(field)).map(([name]) => name),
  };
  shapes.set(kind, shape);
  return shape;
}

/** Returns the digest of everything that was read of an object, on which a plan is based. */
export function remoteDigest(
  kind: TargetKind,
  remote: { readonly owner: string; readonly fields: JsonObject },
): string {
  let text = remote.owner;
  for (const name of Object.keys(remote.fields).sort()) {
    const field = fieldOf(kind, name);
    const value = remote.fields[name];
    if (field !== undefined && value !== undefined) text += `,${JSON.stringify(name)}:${comparedText(value, field)}`;
  }
  return sha256(text);
}

/** Returns the digest of what a record is to rules; times do not count. */
export function hostDigest({ accountId, objectType, labels, inventory, members }: HostRecord): string {
  return sha256(JSON.stringify([accountId, objectType, labels.text, inventory.text, members.text]));
}

export function fieldOf(kind: TargetKind, name: string): TargetField | undefined {
  return Object.hasOwn(kind.fields, name) ? kind.fields[name] : undefined;
}

/** Some of the members of an object, as far as it has them. */
export function picked(fields: JsonObject, names: readonly string[]): JsonObject {
  const found = names.flatMap((name) => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

function sha256(text: string): string {
  return hash('sha256', text, 'base64url');
}
