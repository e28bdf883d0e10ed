/**
 * What becomes of template text in data, which an inventory consumer would evaluate on its controller: `break` puts a
 * space into it, `wrap` marks the value as unsafe for script inventories, `serve` leaves it.
 */
export type TemplateTextMode = 'break' | 'wrap' | 'serve';

const OPENING = /\{(?=[{%#])/g;
/** An opening or its second character written as an escape, which the scan would not see. */
const ESCAPED = /\\u00(?:7b|23|25)/i;

/** Breaks every `{{`, `{%` and `{#` of a text: a space comes between the two characters. */
export function brokenText(text: string): string {
  return hasTemplateText(text) ? text.replace(OPENING, '{ ') : text;
}

export function hasTemplateText(text: string): boolean {
  return text.includes('{{') || text.includes('{%') || text.includes('{#');
}

/**
 * Breaks template text in serialised JSON, in keys and values. Outside of texts a `{` is followed by `"`, `}` or white
 * space, so that one scan does it without parsing.
 */
export function harmlessText(json: string): string {
  return brokenText(json.includes('\\u00') && ESCAPED.test(json) ? JSON.stringify(JSON.parse(json)) : json);
}

/** The same value with every text that holds template text marked as unsafe. Keys cannot be marked: they are broken. */
export function wrappedValue(value: unknown): unknown {
  if (typeof value === 'string') return hasTemplateText(value) ? { __ansible_unsafe: value } : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wrappedValue);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [brokenText(key), wrappedValue(item)]));
}
