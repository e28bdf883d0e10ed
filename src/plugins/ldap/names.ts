/** Whether two texts are the same distinguished name: case and spaces around separators do not count. */
export function sameName(a: string, b: string): boolean {
  return folded(a) === folded(b);
}

function folded(name: string): string {
  return name
    .trim()
    .replace(/\s*(?<!\\)([,=+])\s*/g, '$1')
    .toLowerCase();
}

/** A text as a value within a filter: nothing in it is syntax. */
export function filterValue(text: string): string {
  return [...Buffer.from(text, 'utf8')]
    .map((byte) => (isPlain(byte) ? String.fromCharCode(byte) : `\\${byte.toString(16).padStart(2, '0')}`))
    .join('');
}

/** Letters and digits of ASCII. */
function isPlain(byte: number): boolean {
  return /[a-z0-9]/i.test(String.fromCharCode(byte)) && byte < 128;
}
