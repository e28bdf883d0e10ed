import type { JsonValue } from '../../../ports/json.ts';
import { booleanOf, withBooleans } from './text-booleans.ts';

const MAX_KEYS = 50_000;

/**
 * Writes variables as JSON text. Building an object first costs about as much again: 40 names per host make a new hidden class
 * each time, and every name is escaped again.
 */
export class VariablesWriter {
  readonly #keys = new Map<string, string>();

  /** The member with the comma before it. `booleans`: texts that are booleans become some. */
  member(name: string, value: JsonValue, booleans: boolean): string {
    let key = this.#keys.get(name);
    if (key === undefined) {
      if (this.#keys.size >= MAX_KEYS) this.#keys.clear();
      key = `,${JSON.stringify(name)}:`;
      this.#keys.set(name, key);
    }
    return key + (booleans ? booleanText(value) : valueText(value));
  }

  object(members: string): string {
    return members === '' ? '{}' : `{${members.slice(1)}}`;
  }
}

/** Whatever JSON would escape: quotes, backslashes, control characters and lone surrogates. */
const NEEDS_ESCAPE = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** Texts in lists and objects that may be booleans. */
const INNER_BOOLEAN = /"(?:true|false)"/i;

function booleanText(value: JsonValue): string {
  if (typeof value === 'string') {
    const boolean = booleanOf(value);
    return boolean === undefined ? valueText(value) : valueText(boolean);
  }
  const text = valueText(value);
  if (typeof value !== 'object' || !INNER_BOOLEAN.test(text)) return text;
  return JSON.stringify(withBooleans(value));
}

function valueText(value: JsonValue): string {
  if (typeof value === 'string') return NEEDS_ESCAPE.test(value) ? JSON.stringify(value) : `"${value}"`;
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  return JSON.stringify(value);
}
