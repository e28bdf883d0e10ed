import { parsePythonLiteral } from '../../../../jinja/python-literal.ts';

/**
 * The names that a rendered `rewrite_hostname` gives: those of a list, written as a Python literal or as JSON, else the text itself.
 * Of a list, texts and whole numbers are names; blanks, repeats and everything else are left out.
 */
export function renderedHostnames(text: string, lowercase: boolean): readonly string[] {
  const list = text.startsWith('[') && text.endsWith(']') ? readList(text) : undefined;
  if (list === undefined) return [text];
  const names = new Map<string, string>();
  for (const entry of list) {
    const name = nameOf(entry);
    const key = lowercase ? name.toLowerCase() : name;
    if (name !== '' && !names.has(key)) names.set(key, name);
  }
  return [...names.values()];
}

function readList(text: string): readonly unknown[] | undefined {
  const value = parsePythonLiteral(text) ?? parseJson(text);
  return Array.isArray(value) ? value : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function nameOf(entry: unknown): string {
  if (typeof entry === 'string') return entry.trim();
  if (typeof entry === 'bigint') return String(entry);
  return typeof entry === 'number' && Number.isSafeInteger(entry) ? String(entry) : '';
}
