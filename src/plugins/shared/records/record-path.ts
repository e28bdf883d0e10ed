import { isJsonObject } from '../../../app/kernel/json/json-object.ts';
import type { JsonValue } from '../../../ports/index.ts';

/**
 * Paths as jq and JMESPath write them: a dot steps into an object, `[]` behind a name into every element of a list.
 * `Reservations[].Instances[]` are the instances of all reservations; behind the last name the brackets may be left out.
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

/** Whether the path leads on from what stands at a place; from a scalar if a list should stand there. */
export function leadsOn(place: string, path: string, kind: 'object' | 'list' | 'scalar'): boolean {
  return kind === 'object' ? place === '' || path.startsWith(`${place}.`) : path.startsWith(place + EACH);
}

/** Such a path takes null for a list without elements, as which many programs write it. */
export function stepsIntoLists(path: string): boolean {
  return path.includes(EACH);
}

/**
 * What is at a path: one value, or one for each element on the way that has it, none where lists on the way are empty. `undefined` where
 * the path leads nowhere. Names may hold dots and brackets themselves.
 */
export function valuesAt(value: JsonValue, path: string): readonly JsonValue[] | undefined {
  if (path === '') return [value];
  if (path.startsWith(EACH)) return ofElements(value, path.slice(EACH.length));
  if (!isJsonObject(value)) return undefined;
  for (let end = path.indexOf('.'); ; end = path.indexOf('.', end + 1)) {
    const part = end === -1 ? path : path.slice(0, end);
    const rest = end === -1 ? '' : path.slice(end + 1);
    const found = ofMember(value, part, rest);
    if (found !== undefined || end === -1) return found;
  }
}

const EACH = '[]';

function ofElements(list: JsonValue, path: string): readonly JsonValue[] | undefined {
  if (list === null) return [];
  if (!isList(list)) return undefined;
  if (path === '' || list.length === 0) return path === '' ? [list] : [];
  const rest = path.startsWith('.') ? path.slice(1) : path;
  const found = list.map((element) => valuesAt(element, rest));
  return found.every((values) => values === undefined) ? undefined : found.flatMap((values) => values ?? []);
}

/** The member of that very name, else of the name before the brackets. */
function ofMember(value: JsonValue, part: string, rest: string): readonly JsonValue[] | undefined {
  const inner = ownMember(value, part);
  if (inner !== undefined) return valuesAt(inner, rest);
  const brackets = /(?:\[\])+$/.exec(part);
  if (brackets === null) return undefined;
  const list = ownMember(value, part.slice(0, brackets.index));
  return list === undefined ? undefined : valuesAt(list, rest === '' ? brackets[0] : `${brackets[0]}.${rest}`);
}

function ownMember(value: JsonValue, name: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
