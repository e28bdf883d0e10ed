import type { JsonValue } from '../../ports/json.ts';
import { isSecretName } from './secret-names.ts';
import { secretSpellings } from './secret-spellings.ts';

/** Shorter values are masked only as separate words: hiding each `a` would make the rest unreadable. */
const MIN_PART = 4;

/** Hides the values of account fields wherever they got to. */
export class SecretMask {
  readonly #whole = new Set<string>();
  #parts: string[] = [];

  constructor(secrets: Iterable<string>) {
    for (const secret of secrets) this.add(secret);
  }

  get isEmpty(): boolean {
    return this.#whole.size === 0;
  }

  add(secret: string): void {
    if (secret === '' || this.#whole.has(secret)) return;
    this.#whole.add(secret);
    if (secret.length >= MIN_PART) this.#parts = [...this.#parts, secret].sort((a, b) => b.length - a.length);
  }

  text(text: string): string {
    if (this.#whole.has(text) || this.#whole.has(text.trim())) return MASK;
    let result = text;
    for (const part of this.#parts) if (result.includes(part)) result = result.replaceAll(part, MASK);
    return result;
  }

  value<T extends JsonValue>(value: T): T {
    return this.#value(value) as T;
  }

  #value(value: JsonValue): JsonValue {
    if (this.#whole.size === 0) return value;
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number') return this.#whole.has(String(value)) ? MASK : value;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.#value(item));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.text(key), this.#value(item)]));
  }
}

/** Shown in place of a secret. */
export const MASK = '********';

const NONE: ReadonlySet<string> = new Set();

/** Hides what the settings of a plugin hold under names of secrets, and under marked ones. */
export function settingsMask(settings: unknown, marked: ReadonlySet<string> = NONE): (text: string) => string {
  const secrets = new SecretMask(settingsSecrets(settings, marked).flatMap((secret) => secretSpellings(secret)));
  return (text) => secrets.text(text);
}

/**
 * Returns texts and numbers in settings under the name of a secret, or under a marked name at the top level, at any depth below
 * it.
 */
export function settingsSecrets(settings: unknown, marked: ReadonlySet<string> = NONE): readonly string[] {
  if (typeof settings !== 'object' || settings === null) return [];
  return Object.entries(settings).flatMap(([name, value]) => secretsIn(value, isSecretName(name) || marked.has(name)));
}

function secretsIn(value: unknown, isSecret: boolean): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return isSecret ? [String(value)] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => secretsIn(inner, isSecret || isSecretName(name)));
}
