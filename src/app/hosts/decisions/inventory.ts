import { isJsonObject } from '../../../kit/json/json-object.ts';
import { scalarFault } from '../../../kit/json/kept-values.ts';
import { phrase, worded } from '../../../kit/worded.ts';
import type { JsonObject, JsonValue, Wording } from '../../../ports/index.ts';
import { accepted, type Check, refused, required, shown } from './check.ts';
import { keyFault } from './labels.ts';
import { HOST_LIMITS } from './limits.ts';

/** A section's key: the rules of label keys, and no dots. Throws `invalid_input`. */
export function checkSectionKey(input: unknown): string {
  return required(inspectSectionKey(input));
}

/** A section's content. Throws `invalid_input` naming the member. */
export function checkSection(input: unknown): JsonObject {
  return required(inspectSection(input));
}

/** As `checkSectionKey`, with the refusal as a value. */
export function inspectSectionKey(input: unknown): Check<string> {
  if (typeof input !== 'string') return refused('key', phrase`the inventory key must be text`);
  const fault = keyFault(input) ?? (input.includes('.') ? worded`contains a dot` : undefined);
  return fault === undefined
    ? accepted(input)
    : refused('key', worded`the inventory key ${{ key: shown(input) }} ${{ fault }}`);
}

/** As `checkSection`, with the refusal as a value. Answers the section itself, no copy. */
export function inspectSection(input: unknown): Check<JsonObject> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return refused('inventory', phrase`an inventory section must be an object`);
  }
  const fault = new SectionCheck().fault(input, 'inventory', 1);
  return fault ?? accepted(input as JsonObject);
}

/** The section without members that cannot be stored; the callback gets each of them, with the rest of a sentence. */
export function usableSection(
  section: JsonObject,
  report: (path: string, fault: Wording) => void,
  path = '',
  depth = 1,
): JsonObject {
  const usable = Object.entries(section).flatMap(([key, value]): [string, JsonValue][] => {
    const inner = path === '' ? key : `${path}.${key}`;
    const fault = keyFault(key) ?? (typeof value === 'object' && value !== null ? undefined : scalarFault(value));
    if (fault !== undefined) {
      report(inner, fault);
      return [];
    }
    return [[key, depth < HOST_LIMITS.sectionDepth ? usableValue(value, report, inner, depth) : value]];
  });
  return Object.fromEntries(usable);
}

function usableValue(
  value: JsonValue,
  report: (path: string, fault: Wording) => void,
  path: string,
  depth: number,
): JsonValue {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => {
      const fault = typeof item === 'object' && item !== null ? undefined : scalarFault(item);
      if (fault === undefined) return [usableValue(item, report, `${path}.${index}`, depth + 1)];
      report(`${path}.${index}`, fault);
      return [];
    });
  }
  return isJsonObject(value) && depth < HOST_LIMITS.sectionDepth
    ? usableSection(value, report, path, depth + 1)
    : value;
}

class SectionCheck {
  #members = 0;
  #characters = 0;

  fault(value: object, path: string, depth: number): Check<never> | undefined {
    if (depth > HOST_LIMITS.sectionDepth) {
      return refused(
        path,
        worded`inventory ${{ path: shown(path) }} is nested deeper than ${{ most: String(HOST_LIMITS.sectionDepth) }} levels`,
      );
    }
    return Array.isArray(value) ? this.#listFault(value, path, depth) : this.#objectFault(value, path, depth);
  }

  #objectFault(value: object, path: string, depth: number): Check<never> | undefined {
    for (const key in value) {
      const inner = `${path}.${key}`;
      const wrongKey = keyFault(key);
      if (wrongKey !== undefined)
        return refused(
          inner,
          worded`inventory key ${{ key: shown(key) }} in ${{ path: shown(path) }} ${{ fault: wrongKey }}`,
        );
      this.#characters += key.length;
      const fault = this.#memberFault((value as Record<string, unknown>)[key], inner, depth);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  #listFault(value: readonly unknown[], path: string, depth: number): Check<never> | undefined {
    for (let index = 0; index < value.length; index++) {
      const fault = this.#memberFault(value[index], `${path}.${index}`, depth);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  #memberFault(value: unknown, path: string, depth: number): Check<never> | undefined {
    this.#characters += typeof value === 'string' ? value.length : 8;
    if (++this.#members > HOST_LIMITS.sectionMembers) {
      return refused(
        'inventory',
        worded`the section has more than ${{ most: String(HOST_LIMITS.sectionMembers) }} members`,
      );
    }
    if (this.#characters > HOST_LIMITS.sectionCharacters) {
      return refused(
        'inventory',
        worded`the section has more than ${{ most: String(HOST_LIMITS.sectionCharacters) }} characters`,
      );
    }
    if (typeof value === 'object' && value !== null) return this.fault(value, path, depth + 1);
    const fault = scalarFault(value);
    return fault === undefined ? undefined : refused(path, worded`inventory ${{ path: shown(path) }} ${{ fault }}`);
  }
}
