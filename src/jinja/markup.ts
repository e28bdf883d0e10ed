import type { Run } from './run.ts';

const MARKUP: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ["'", '&#39;'],
  ['"', '&#34;'],
]);

export function escapeMarkup(run: Run, text: string): string {
  let length = text.length;
  for (const [mark] of text.matchAll(/[&<>'"]/g)) length += (MARKUP.get(mark)?.length ?? 1) - 1;
  run.sized(length);
  return text.replace(/[&<>'"]/g, (mark) => MARKUP.get(mark) ?? mark);
}

/** Everything between `<` and `>`, and comments; what is not closed stays. */
export function withoutTags(text: string): string {
  const kept: string[] = [];
  let position = 0;
  for (let start = text.indexOf('<'); start >= 0; start = text.indexOf('<', position)) {
    const [closer, from] = text.startsWith('<!--', start) ? ['-->', start + 4] : ['>', start];
    const end = text.indexOf(closer, from);
    if (end < 0) break;
    kept.push(text.slice(position, start));
    position = end + closer.length;
  }
  kept.push(text.slice(position));
  return kept.join('');
}

const REFERENCE = /&(?:#(?:[xX]([0-9a-fA-F]+)|([0-9]+));?|(amp|AMP|lt|LT|gt|GT|quot|QUOT|nbsp);?|(apos);)/g;
const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
]);

/** Characters by number and the names that `escape` and its like make; the two thousand other names stay as they are. */
export function unescapeMarkup(text: string): string {
  return text.replace(REFERENCE, (_whole, hex, decimal, name, strictName) => {
    if (name !== undefined || strictName !== undefined) return NAMED.get((name ?? strictName).toLowerCase()) ?? '';
    return numberedCharacter(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}

/** The characters of windows-1252 from 0x80 on. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Resolves `&#…;` as browsers do: the range of C1 controls is windows-1252, and noncharacters are left out. */
function numberedCharacter(code: number): string {
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd';
  if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252.charAt(code - 0x80);
  const isControl = (code < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d].includes(code)) || code === 0x7f;
  const isNoCharacter = (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) === 0xfffe;
  return isControl || isNoCharacter ? '' : String.fromCodePoint(code);
}
