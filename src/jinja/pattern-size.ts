/** A counted repetition: `{3}`, `{3,}`, `{3,5}`. Others repeat without being written out. */
const COUNTED = /\{(\d{1,4})(?:,(\d{0,4}))?\}/y;
const CLASS = /\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]/y;
/** `\p{Greek}`, `\x{10FFFF}` and every escaped character. */
const ESCAPE = /\\(?:[pPx]\{[^}]*\}|[\s\S])/y;

/**
 * About how many parts a pattern has when its counted repetitions are written out, which is what its compiler does with
 * them: a few nested ones in a short pattern make millions. Reads no more than that, and reads broken patterns too.
 */
export function writtenOut(source: string): number {
  /** Parts of the open groups, outermost first, and the last part of each. */
  const open = [{ parts: 0, last: 0 }];
  for (let at = 0; at < source.length; ) {
    const group = open[open.length - 1] as { parts: number; last: number };
    const char = source[at];
    const counted = char === '{' ? read(COUNTED, source, at) : undefined;
    if (counted !== undefined) {
      const [text, least = '1', most] = counted;
      const times = Math.max(1, Number(least), Number(most ?? 0));
      group.parts += group.last * (times - 1);
      group.last *= times;
      at += text.length;
    } else if (char === '(') {
      open.push({ parts: 1, last: 0 });
      at++;
    } else if (char === ')' && open.length > 1) {
      open.pop();
      const outer = open[open.length - 1] as { parts: number; last: number };
      outer.last = group.parts;
      outer.parts += group.parts;
      at++;
    } else {
      const [text] = (char === '['
        ? read(CLASS, source, at)
        : char === '\\'
          ? read(ESCAPE, source, at)
          : undefined) ?? [source.slice(at, at + 1)];
      if (!'*+?'.includes(text)) group.last = 1;
      group.parts++;
      at += text.length;
    }
  }
  return open.reduce((sum, { parts }) => sum + parts, 0);
}

function read(pattern: RegExp, source: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source) ?? undefined;
}
