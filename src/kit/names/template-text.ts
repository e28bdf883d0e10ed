/**
 * Handling of template text in data, which an inventory consumer would evaluate on its controller: `break` puts a space into it,
 * `wrap` marks the value as unsafe for script inventories, `serve` leaves it.
 */
export type TemplateTextMode = 'break' | 'wrap' | 'serve';

const OPENING = /\{(?=[{%#])/g;

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
  return brokenText(plainlyWritten(json));
}

/** Printable characters written as escapes, which a scan would not see, and halves of surrogate pairs. */
const HIDDEN = /\\u(?:00[2-7]|d[89a-f])/i;
const ESCAPE = /\\(?:u(d[89a-f][0-9a-f]{2})|.)/gi;
const REPLACEMENT = '\ufffd';

/**
 * Returns the same JSON with as few escapes as possible, so that texts can be found in it without parsing. Half a surrogate pair
 * has no UTF-8 form and would make ansible-core 2.19 refuse the whole inventory: it is replaced.
 */
export function plainlyWritten(json: string): string {
  if (!json.includes('\\u') || !HIDDEN.test(json)) return json;
  // In rewritten JSON, only unpaired surrogates are escaped.
  return JSON.stringify(JSON.parse(json)).replace(ESCAPE, (written, half) =>
    half === undefined ? written : REPLACEMENT,
  );
}

/** The same value with every text that holds template text marked as unsafe. Keys cannot be marked: they are broken. */
export function wrappedValue(value: unknown): unknown {
  if (typeof value === 'string') return hasTemplateText(value) ? { __ansible_unsafe: value } : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wrappedValue);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [brokenText(key), wrappedValue(item)]));
}
