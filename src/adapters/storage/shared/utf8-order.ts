/**
 * Order of texts by their UTF-8 bytes, which is what the ports promise. JavaScript compares UTF-16 units, which puts
 * U+10000 (a surrogate pair) before U+FFFF; moving surrogates behind everything else repairs that without encoding.
 */
export function compareUtf8(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return weight(a) - weight(b);
  }
  return left.length - right.length;
}

function weight(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Returns a text as UTF-8 can represent it: lone surrogates become U+FFFD. */
export function wellFormed(text: string): string {
  return /[\ud800-\udfff]/.test(text) ? Buffer.from(text).toString() : text;
}
