import { AppError } from './errors.ts';

/** Any value that JSON can hold. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/**
 * A JSON value that is kept as text, as a value, or both, whichever was asked for first. Stores that keep text hand it
 * through to the answer without parsing it; the rule engine reads the value. `text` is always the JSON of `value`.
 *
 * Values are treated as immutable by everybody.
 */
export class StoredJson<T> {
  #text: string | undefined;
  #value: T | undefined;

  private constructor(text: string | undefined, value: T | undefined) {
    this.#text = text;
    this.#value = value;
  }

  /** `text` must be valid JSON of a `T`; it is not checked until the value is read, which throws `failed` if it is invalid. */
  static ofText<T>(text: string): StoredJson<T> {
    return new StoredJson<T>(text, undefined);
  }

  static ofValue<T>(value: T): StoredJson<T> {
    return new StoredJson<T>(undefined, value);
  }

  get text(): string {
    this.#text ??= JSON.stringify(this.#value);
    return this.#text;
  }

  get value(): T {
    this.#value ??= parsed(this.#text as string) as T;
    return this.#value;
  }

  toJSON(): T {
    return this.value;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message =
      'stored data is damaged: a text is not valid JSON any more; "muster storage check" names its record, restore it from a backup';
    throw new AppError('failed', message, { cause });
  }
}
