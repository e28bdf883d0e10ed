import { Scalar } from 'yaml';
import type { JsonValue } from '../../../ports/index.ts';

/** Ansible evaluates keys too when it reads them. */
export function plainKey(key: string): string {
  return key.replaceAll(/\{(?=[{%#])/g, '{ ');
}

/** The value with every text that could be a template marked as none. */
export function unsafe(value: JsonValue): unknown {
  if (typeof value === 'string') return /\{[{%#]/.test(value) ? unsafeText(value) : value;
  if (Array.isArray(value)) return value.map((item) => unsafe(item as JsonValue));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [plainKey(key), unsafe(member)]));
}

function unsafeText(text: string): Scalar {
  const scalar = new Scalar(text);
  scalar.tag = '!unsafe';
  return scalar;
}

/** Indents every line. Texts never span lines, so none of them changes. */
export function indented(text: string, by: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(by));
}
