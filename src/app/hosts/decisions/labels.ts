import type { Labels } from '../../../ports/index.ts';
import { scalarFault } from '../../kernel/json/kept-values.ts';
import { isValidUnicode } from '../../kernel/unicode.ts';
import { accepted, type Check, refused, required, shown } from './check.ts';
import { HOST_LIMITS } from './limits.ts';

/** What is wrong with a value or key, as the rest of a sentence that begins with its name. */
type Fault = string | undefined;

/** A label set that may be stored. Throws `invalid_input` naming the label. */
export function checkLabels(input: unknown): Labels {
  return required(inspectLabels(input));
}

/**
 * As `checkLabels`, with the refusal as a value. By hand: this runs for every host of an import, and a schema library takes ten times as long.
 * The set itself is answered, never a copy: copying would lose a key called `__proto__`.
 */
export function inspectLabels(input: unknown): Check<Labels> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return refused('labels', 'labels must be an object of keys and values');
  }
  const labels = input as Record<string, unknown>;
  let count = 0;
  let characters = 0;
  for (const key in labels) {
    const value = labels[key];
    const fault = keyFault(key) ?? valueFault(value);
    if (fault !== undefined) return refused(`labels.${key}`, `label ${shown(key)} ${fault}`);
    count++;
    characters += key.length + (typeof value === 'string' ? value.length : 8);
    if (Array.isArray(value)) characters += charactersOf(value);
  }
  if (count > HOST_LIMITS.labels) {
    return refused('labels', `the host has ${count} labels; ${HOST_LIMITS.labels} are allowed`);
  }
  if (characters > HOST_LIMITS.labelCharacters) {
    return refused('labels', `the labels have ${characters} characters; ${HOST_LIMITS.labelCharacters} are allowed`);
  }
  return accepted(labels as Labels);
}

/** Rules for keys of labels and of members of inventory sections. */
export function keyFault(key: string): Fault {
  if (key === '') return 'has an empty key';
  if (key.charCodeAt(0) === 0x24) return 'begins with "$"';
  if (key.length > HOST_LIMITS.key) return `has a key longer than ${HOST_LIMITS.key} characters`;
  return isValidUnicode(key) ? undefined : 'is not valid Unicode';
}

function valueFault(value: unknown): Fault {
  if (value === null || typeof value !== 'object') return scalarFault(value);
  if (!Array.isArray(value)) return 'is a nested object; labels are flat, so store nested data as inventory';
  for (const item of value) {
    if (item !== null && typeof item === 'object')
      return 'is a list of objects or lists; only scalars are allowed in it';
    const fault = scalarFault(item);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function charactersOf(list: readonly unknown[]): number {
  let characters = 0;
  for (const item of list) characters += typeof item === 'string' ? item.length : 8;
  return characters;
}
