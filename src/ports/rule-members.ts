import type { ErrorDetail } from './errors.ts';
import type { JsonObject, JsonValue } from './json.ts';

/**
 * What a rule type says about one member of its documents. One table of these draws the checks, the JSON Schema, the docs
 * and the forms. Plain data and no schema library, because every command that evaluates rules loads the rule types, and
 * loading one costs 80 ms at cold start.
 */
export interface RuleMember {
  readonly kind: 'text' | 'flag' | 'integer' | 'choice' | 'value' | 'reference' | 'list' | 'object' | 'date';
  readonly description: string;
  readonly required?: boolean;
  /** Of a `choice`. */
  readonly choices?: readonly string[];
  /** Of a `list`: what its elements are; of an `object`: its members. */
  readonly members?: RuleMembers;
  readonly items?: RuleMember;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Sealed, hashed, or to be sealed: forms do not show it. */
  readonly secret?: boolean;
}

export type RuleMembers = Readonly<Record<string, RuleMember>>;

/** The text of a scalar as templates print it (`True`, `None`); `undefined` for lists, objects and what is missing. */
export function scalarText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? 'None' : undefined;
}

/** A text member; numbers and booleans count as their text, everything else as `""`. */
export function memberText(document: JsonObject, name: string): string {
  const value = ownMember(document, name);
  return value === null ? '' : (scalarText(value) ?? '');
}

/** A flag; absent is false, and the texts and numbers of older exports count as what they say. */
export function memberFlag(document: JsonObject, name: string): boolean {
  return flagValue(ownMember(document, name)) ?? false;
}

/** An integer, written as number or as text; `undefined` for everything else. */
export function memberInteger(document: JsonObject, name: string): number | undefined {
  return integerValue(ownMember(document, name));
}

/** The objects of a list member; other elements are left out. */
export function memberObjects(document: JsonObject, name: string): readonly JsonObject[] {
  const value = ownMember(document, name);
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The elements of a list member; empty for everything else. */
export function memberList(document: JsonObject, name: string): readonly JsonValue[] {
  const value = ownMember(document, name);
  return Array.isArray(value) ? value : [];
}

/** A date: `{"$date": milliseconds or ISO text}`, ISO text or milliseconds; `null` for everything else. */
export function memberDate(document: JsonObject, name: string): Date | null {
  const value = ownMember(document, name);
  const inner = isJsonObject(value) ? ownMember(value, '$date') : value;
  const raw = isJsonObject(inner) ? integerValue(ownMember(inner, '$numberLong')) : inner;
  if (typeof raw !== 'string' && typeof raw !== 'number') return null;
  const date = new Date(raw);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** A reference: the name, or the digits of its `$oid`; `undefined` when empty. */
export function memberReference(document: JsonObject, name: string): string | undefined {
  return referenceValue(ownMember(document, name));
}

export function ownMember(document: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(document, name) ? document[name] : undefined;
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function referenceValue(value: JsonValue | undefined): string | undefined {
  const raw = isJsonObject(value) ? ownMember(value, '$oid') : value;
  return typeof raw === 'string' && raw !== '' ? raw : undefined;
}

const TRUE_TEXTS = new Set(['true', 'yes', 'on', '1']);
const FALSE_TEXTS = new Set(['', 'false', 'no', 'off', '0', 'none', 'null']);

/** `undefined` when the value is no truth value in any spelling. */
export function flagValue(value: JsonValue | undefined): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === undefined || value === null) return false;
  if (typeof value === 'number') return value === 0 ? false : value === 1 ? true : undefined;
  if (typeof value !== 'string') return undefined;
  const text = value.trim().toLowerCase();
  if (TRUE_TEXTS.has(text)) return true;
  return FALSE_TEXTS.has(text) ? false : undefined;
}

export function integerValue(value: JsonValue | undefined): number | undefined {
  const number =
    typeof value === 'string' && /^\s*[+-]?\d+(?:\.0+)?\s*$/.test(value)
      ? Number(value)
      : typeof value === 'number'
        ? value
        : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

/** What does not fit the table. Absent, `null` and, unless required, empty members are fine; unknown members too. */
export function memberProblems(document: JsonObject, members: RuleMembers, path = ''): ErrorDetail[] {
  return Object.entries(members).flatMap(([name, member]) =>
    valueProblems(ownMember(document, name), member, path === '' ? name : `${path}.${name}`),
  );
}

function valueProblems(value: JsonValue | undefined, member: RuleMember, path: string): ErrorDetail[] {
  if (value === undefined || value === null || value === '') {
    return member.required ? [{ path, message: 'is required' }] : [];
  }
  const message = mismatch(value, member);
  if (message !== undefined) return [{ path, message }];
  if (member.kind === 'list' && Array.isArray(value)) {
    const { items } = member;
    return items === undefined
      ? []
      : value.flatMap((item: JsonValue, index) => elementProblems(item, items, `${path}.${index}`));
  }
  return isJsonObject(value) && member.members !== undefined ? memberProblems(value, member.members, path) : [];
}

function elementProblems(item: JsonValue, member: RuleMember, path: string): ErrorDetail[] {
  if (item === null) return [{ path, message: 'must not be null' }];
  return valueProblems(item, member, path);
}

function mismatch(value: JsonValue, member: RuleMember): string | undefined {
  switch (member.kind) {
    case 'text':
      return scalarText(value) === undefined ? 'must be a text' : undefined;
    case 'flag':
      return flagValue(value) === undefined ? 'must be true or false' : undefined;
    case 'integer':
      return integerMismatch(value, member);
    case 'choice':
      return typeof value === 'string' && member.choices?.includes(value)
        ? undefined
        : `must be one of ${member.choices?.map((choice) => JSON.stringify(choice)).join(', ')}`;
    case 'reference':
      return referenceValue(value) === undefined ? 'must be a name or {"$oid": …}' : undefined;
    case 'list':
      return Array.isArray(value) ? undefined : 'must be a list';
    case 'object':
      return isJsonObject(value) ? undefined : 'must be an object';
    case 'date':
      return isDate(value) ? undefined : 'must be {"$date": <milliseconds>}';
    case 'value':
      return undefined;
  }
}

function integerMismatch(value: JsonValue, { minimum, maximum }: RuleMember): string | undefined {
  const number = integerValue(value);
  if (number === undefined) return 'must be an integer';
  if (minimum !== undefined && number < minimum) return `must be at least ${minimum}`;
  return maximum !== undefined && number > maximum ? `must be at most ${maximum}` : undefined;
}

function isDate(value: JsonValue): boolean {
  const raw = isJsonObject(value) ? ownMember(value, '$date') : value;
  if (isJsonObject(raw)) return integerValue(ownMember(raw, '$numberLong')) !== undefined;
  return (typeof raw === 'number' || typeof raw === 'string') && !Number.isNaN(new Date(raw).getTime());
}

/** The JSON Schema of the table. */
export function membersSchema(members: RuleMembers): JsonObject {
  const required = Object.entries(members).flatMap(([name, member]) => (member.required ? name : []));
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(members).map(([name, member]) => [name, memberSchema(member)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: true,
  };
}

const REFERENCE_SCHEMA: JsonObject = {
  anyOf: [
    { type: 'string' },
    { type: 'object', properties: { $oid: { type: 'string', pattern: '^[0-9a-fA-F]{24}$' } }, required: ['$oid'] },
    { type: 'null' },
  ],
};

function memberSchema(member: RuleMember): JsonObject {
  const { description } = member;
  const secret: JsonObject = member.secret ? { writeOnly: true } : {};
  switch (member.kind) {
    case 'text':
      return { type: ['string', 'number', 'boolean', 'null'], description, ...secret };
    case 'flag':
      return { type: ['boolean', 'string', 'integer', 'null'], default: false, description };
    case 'integer':
      return { ...integerSchema(member), description };
    case 'choice':
      return { type: 'string', enum: [...(member.choices ?? [])], description };
    case 'reference':
      return { ...REFERENCE_SCHEMA, description };
    case 'list':
      return { type: ['array', 'null'], description, ...(member.items ? { items: memberSchema(member.items) } : {}) };
    case 'object':
      return { ...(member.members ? membersSchema(member.members) : { type: 'object' }), description };
    case 'date':
      return { type: ['object', 'string', 'number', 'null'], description };
    case 'value':
      return { description, ...secret };
  }
}

function integerSchema({ minimum, maximum }: RuleMember): JsonObject {
  return {
    type: ['integer', 'string', 'null'],
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  };
}
