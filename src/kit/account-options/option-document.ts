import { parseLiteralOrJson } from '../../jinja/python-literal.ts';
import type { JsonValue } from '../../ports/index.ts';

/** The object or list that an option is, in JSON or in the words of Python: `{'all': True, 'after': None}`. `undefined` for any other text. */
export function optionDocument(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    const literal = parseLiteralOrJson(text);
    return typeof literal === 'object' && literal !== null ? literal : undefined;
  }
}
