/**
 * PostgreSQL stores no NUL in a text. NUL and the character behind it are written as pairs that sort as they do, so that keys keep
 * their order. JSON has neither: it escapes control characters.
 */
const NUL = '\u0000';
const MARK = '\u0001';
const NUL_PAIR = `${MARK}${MARK}`;
const MARK_PAIR = `${MARK}\u0002`;

export function toStored(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toStored);
  if (typeof value !== 'string' || !(value.includes(NUL) || value.includes(MARK))) return value;
  return value.replaceAll(MARK, MARK_PAIR).replaceAll(NUL, NUL_PAIR);
}

export function fromStored(text: string): string {
  let mark = text.indexOf(MARK);
  if (mark < 0) return text;
  let plain = '';
  let from = 0;
  for (; mark >= 0; mark = text.indexOf(MARK, from)) {
    plain += text.slice(from, mark) + (text.startsWith(NUL_PAIR, mark) ? NUL : MARK);
    from = mark + 2;
  }
  return plain + text.slice(from);
}
