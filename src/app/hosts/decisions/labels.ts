import { scalarFault } from '../../../kit/json/kept-values.ts';
import { isValidUnicode } from '../../../kit/unicode.ts';
import { phrase, worded } from '../../../kit/worded.ts';
import type { Labels, Wording } from '../../../ports/index.ts';
import { accepted, type Check, refused, required, shown } from './check.ts';
import { HOST_LIMITS } from './limits.ts';

/** The fault of a value or key, as the rest of a sentence that begins with its name. */
type Fault = Wording | undefined;

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
    return refused('labels', phrase`labels must be an object of keys and values`);
  }
  const labels = input as Record<string, unknown>;
  let count = 0;
  let characters = 0;
  for (const key in labels) {
    const value = labels[key];
    const fault = keyFault(key) ?? valueFault(value);
    if (fault !== undefined) return refused(`labels.${key}`, worded`label ${{ key: shown(key) }} ${{ fault }}`);
    count++;
    characters += key.length + (typeof value === 'string' ? value.length : 8);
    if (Array.isArray(value)) characters += charactersOf(value);
  }
  if (count > HOST_LIMITS.labels) {
    return refused(
      'labels',
      worded`the host has ${{ count: String(count) }} labels; ${{ most: String(HOST_LIMITS.labels) }} are allowed`,
    );
  }
  if (characters > HOST_LIMITS.labelCharacters) {
    return refused(
      'labels',
      worded`the labels have ${{ characters: String(characters) }} characters; ${{ most: String(HOST_LIMITS.labelCharacters) }} are allowed`,
    );
  }
  return accepted(labels as Labels);
}

/** A label that cannot be stored, and why, as the rest of a sentence. */
export interface UnusableLabel {
  readonly key: string;
  readonly fault: Wording;
}

/** The labels that can be stored by themselves, and the others. */
export function usableLabels(labels: Readonly<Record<string, unknown>>): {
  readonly usable: Readonly<Record<string, unknown>>;
  readonly unusable: readonly UnusableLabel[];
} {
  const unusable: UnusableLabel[] = [];
  const usable = Object.entries(labels).filter(([key, value]) => {
    const fault = keyFault(key) ?? valueFault(value);
    if (fault !== undefined) unusable.push({ key, fault });
    return fault === undefined;
  });
  return { usable: Object.fromEntries(usable), unusable };
}

/** Rules for keys of labels and of members of inventory sections. */
export function keyFault(key: string): Fault {
  if (key === '') return worded`has an empty key`;
  if (key.charCodeAt(0) === 0x24) return worded`begins with "$"`;
  if (key.length > HOST_LIMITS.key)
    return worded`has a key longer than ${{ most: String(HOST_LIMITS.key) }} characters`;
  return isValidUnicode(key) ? undefined : worded`is not valid Unicode`;
}

function valueFault(value: unknown): Fault {
  if (value === null || typeof value !== 'object') return scalarFault(value);
  if (!Array.isArray(value)) return worded`is a nested object; labels are flat, so store nested data as inventory`;
  for (const item of value) {
    if (item !== null && typeof item === 'object')
      return worded`is a list of objects or lists; only scalars are allowed in it`;
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
