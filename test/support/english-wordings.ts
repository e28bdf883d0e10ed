/** The same with the English text in the place of each wording. */
export function inEnglish(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inEnglish);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if ('template' in value && 'text' in value) return value.text;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inEnglish(member)]));
}

interface Parts {
  readonly template: string;
  readonly values: Readonly<Record<string, string | number | (Parts & { readonly text: string })>>;
}

/** What the parts of a sentence are together, in English; a wording among the values must be what its own parts are. */
export function putTogether({ template, values }: Parts): string {
  return template.replace(/\{(\w+)\}/g, (hole, name: string) => {
    const value = values[name];
    if (typeof value === 'object') return value.text === putTogether(value) ? value.text : `(not ${value.text})`;
    return typeof value === 'number' ? value.toLocaleString('en') : (value ?? hole);
  });
}
