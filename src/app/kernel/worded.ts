import type { Wording } from '../../ports/index.ts';

type Value = Wording['values'][string];

/**
 * A sentence whose values have names, so that pages say it in other languages: the template is what they look up. Each value is written
 * `${{ name: value }}`, or is itself a wording under a name. In English it is the text that a template literal would be.
 */
export function worded(texts: TemplateStringsArray, ...named: readonly Readonly<Record<string, Value>>[]): Wording {
  let text = texts[0] ?? '';
  let template = text;
  const values: Record<string, Value> = {};
  for (const [place, given] of named.entries()) {
    const [[name, value] = ['', '']] = Object.entries(given);
    const rest = texts[place + 1] ?? '';
    values[name] = value;
    text += (typeof value === 'object' ? value.text : String(value)) + rest;
    template += `{${name}}${rest}`;
  }
  return { text, template, values };
}
