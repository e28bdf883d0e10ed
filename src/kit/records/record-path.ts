import type { JsonObject, JsonValue } from '../../ports/index.ts';
import { setOwn } from '../file-source/own-property.ts';
import { isJsonObject } from '../json/json-object.ts';

/**
 * Paths as jq and JMESPath write them: a dot steps into an object, `[]` behind a name into every element of a list.
 * `Reservations[].Instances[]` are the instances of all reservations; behind the last name the brackets may be left out.
 * Where a value is looked for, and not the list of the records, `[0]` is one element of a list, counted from its beginning or with
 * `[-1]` from its end, and `[primary=1]` the first element whose member has that text.
 */

/** The path of a place in a document, its elements being any of their lists. */
export function pathText(steps: readonly (string | number)[]): string {
  let text = '';
  for (const [index, step] of steps.entries()) {
    text += typeof step === 'number' ? EACH : index === 0 ? step : `.${step}`;
  }
  return text;
}

/** Whether a place is what the path leads to. */
export function isAtPath(place: string, path: string): boolean {
  return place === path || `${place}${EACH}` === path;
}

/** Whether the path continues below a value at this place; for a scalar, if the path expects a list there. */
export function leadsOn(place: string, path: string, kind: 'object' | 'list' | 'scalar'): boolean {
  return kind === 'object' ? place === '' || path.startsWith(`${place}.`) : path.startsWith(place + EACH);
}

/** Such a path takes null for a list without elements, as which many programs write it. */
export function stepsIntoLists(path: string): boolean {
  return path.includes(EACH);
}

/**
 * Returns the values at a path: a single one, or one for each element on the way that has it, none if lists on the way are empty.
 * `undefined` if the path matches nothing. Names may contain dots and brackets themselves.
 */
export function valuesAt(value: JsonValue, path: string): readonly JsonValue[] | undefined {
  if (path === '') return [value];
  if (path.startsWith(EACH)) return ofElements(value, behindBrackets(path));
  if (path.startsWith('[') && (value === null || isList(value))) return ofOne(value, path);
  for (const { inner, rest } of stepsOn(value, path)) {
    const found = valuesAt(inner, rest);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The values of a record's field, whose path may step into lists; behind `[]` at the end the elements. */
export function fieldValues(record: JsonObject, field: string): readonly JsonValue[] {
  const member = memberAt(record, field);
  if (member !== undefined) return [member];
  const found = field.includes('[') ? (valuesAt(record, field) ?? []) : [];
  return field.endsWith(EACH) ? found.flatMap((value) => (isList(value) ? value : [value])) : found;
}

/** The member of that very name, else what the dotted path leads to. */
function memberAt(value: JsonObject, path: string): JsonValue | undefined {
  if (Object.hasOwn(value, path)) return value[path];
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const inner = ownMember(value, path.slice(0, dot));
    if (isJsonObject(inner)) return memberAt(inner, path.slice(dot + 1));
  }
  return undefined;
}

/** A copy with other values at a path; the value itself where the path leads nowhere. */
export function replacedAt(value: JsonValue, path: string, change: (value: JsonValue) => JsonValue): JsonValue {
  if (path === '' || path === EACH) return change(value);
  if (path.startsWith(EACH)) {
    const rest = behindBrackets(path);
    return isList(value) ? value.map((element) => replacedAt(element, rest, change)) : value;
  }
  for (const { name, inner, rest } of stepsOn(value, path)) {
    if (valuesAt(inner, rest) !== undefined) return withMember(value, name, replacedAt(inner, rest, change));
  }
  return value;
}

const EACH = '[]';

function ofElements(list: JsonValue, path: string): readonly JsonValue[] | undefined {
  if (list === null) return [];
  if (!isList(list)) return undefined;
  if (path === '' || list.length === 0) return path === '' ? [list] : [];
  const found = list.map((element) => valuesAt(element, path));
  return found.every((values) => values === undefined) ? undefined : found.flatMap((values) => values ?? []);
}

const ONE = /^\[([^\][]+)\]\.?/;

/** Returns the values at a path into one element. A list without that element has no values, but is still a list. */
function ofOne(list: readonly JsonValue[] | null, path: string): readonly JsonValue[] | undefined {
  const [brackets, inside] = ONE.exec(path) ?? [];
  if (brackets === undefined || inside === undefined) return undefined;
  if (list === null) return [];
  const element = oneElement(list, inside);
  return element === undefined ? [] : valuesAt(element, path.slice(brackets.length));
}

function oneElement(list: readonly JsonValue[], inside: string): JsonValue | undefined {
  if (/^-?\d+$/.test(inside)) return list.at(Number(inside));
  const sign = inside.indexOf('=');
  const [member, text] = [inside.slice(0, sign).trim(), inside.slice(sign + 1).trim()];
  return list.find((element) => {
    const [found] = valuesAt(element, member) ?? [];
    return found !== undefined && found !== null && typeof found !== 'object' && String(found) === text;
  });
}

interface Step {
  readonly name: string;
  readonly inner: JsonValue;
  /** The remainder of the path after this step. */
  readonly rest: string;
}

/** Each element, or one of them; several where lists are in lists. */
const BRACKETS = /(?:\[(?:-?\d+|[^\][=]+=[^\][]*)?\])+$/;

/** The members that a path may begin with: names with dots come after shorter ones, and brackets may belong to a name. */
function* stepsOn(value: JsonValue, path: string): Generator<Step> {
  if (!isJsonObject(value)) return;
  for (let end = path.indexOf('.'); ; end = path.indexOf('.', end + 1)) {
    const part = end === -1 ? path : path.slice(0, end);
    const rest = end === -1 ? '' : path.slice(end + 1);
    const inner = ownMember(value, part);
    if (inner !== undefined) yield { name: part, inner, rest };
    const brackets = BRACKETS.exec(part);
    if (brackets !== null) {
      const name = part.slice(0, brackets.index);
      const list = ownMember(value, name);
      if (list !== undefined) yield { name, inner: list, rest: rest === '' ? brackets[0] : `${brackets[0]}.${rest}` };
    }
    if (end === -1) return;
  }
}

function behindBrackets(path: string): string {
  const rest = path.slice(EACH.length);
  return rest.startsWith('.') ? rest.slice(1) : rest;
}

function ownMember(value: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function withMember(value: JsonValue, name: string, member: JsonValue): JsonValue {
  const copy: Record<string, JsonValue> = {};
  for (const [key, old] of Object.entries(value ?? {})) setOwn(copy, key, key === name ? member : old);
  return copy;
}

export function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
