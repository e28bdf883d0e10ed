import type { JsonValue } from '../../ports/index.ts';

/** Tells whether a value is one of the texts by which a source says that there is none (`null_values`); blanks around it do not count. */
export function nullTest(texts: readonly string[]): (value: JsonValue | undefined) => boolean {
  const nulls = new Set(texts);
  const longest = Math.max(0, ...texts.map(({ length }) => length));
  return (value) => {
    if (typeof value !== 'string' || nulls.size === 0) return false;
    // Nearly all texts are longer, and nothing else is to be known of them: this is asked for each value of a source.
    if (value.length > longest && isSign(value.charCodeAt(0)) && isSign(value.charCodeAt(value.length - 1)))
      return false;
    return nulls.has(value.trim());
  };
}

/** True for a printable ASCII character other than a space. */
function isSign(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}
