import { fault } from './fault.ts';
import { escapeMarkup } from './markup.ts';
import type { Run } from './run.ts';
import { characters, textLength } from './sequence.ts';

export interface LinkOptions {
  /** Longer addresses are shown cut. */
  readonly shownLength: number | undefined;
  readonly rel: string;
  readonly target: string;
  readonly extraSchemes: readonly string[];
}

let address: RegExp | undefined;

/** Made when it is first asked for: classes of letters cost time, which templates without links need not spend. */
function addressPattern(): RegExp {
  const word = '\\p{L}\\p{N}_';
  address ??= new RegExp(
    `^(?:(?:https?://|www\\.)(?:[${word}%\\-]+\\.)*(?:[a-z]{2,63}|xn--[${word}%]{2,59})|` +
      `(?:[${word}%\\-]{2,63}\\.)+(?:com|net|int|edu|gov|org|info|mil)|` +
      `https?://(?:\\p{Nd}{1,3}(?:\\.\\p{Nd}{1,3}){3}|\\[(?:[\\p{Nd}a-f]{0,4}:){2}(?:[\\p{Nd}a-f]{0,4}:?){1,6}\\]))` +
      `(?::\\p{Nd}{1,5})?(?:[/?#]\\S*)?$`,
    'iu',
  );
  return address;
}

function isMail(text: string): boolean {
  return /^\S+@[\p{L}\p{N}_][\p{L}\p{N}_.-]*\.[\p{L}\p{N}_]+$/u.test(text);
}

function isScheme(text: string): boolean {
  return /^[\p{L}\p{N}_.+-]{2,}:\/{0,2}$/u.test(text);
}

function splitAtSpaces(text: string): readonly string[] {
  // White space for Python, and not for JavaScript.
  const separators = '\u001c-\u001f';
  return text.split(new RegExp(`([\\p{White_Space}${separators}]+)`, 'u'));
}

/** Escapes a text and makes links of the addresses in it. */
export function linkAddresses(run: Run, text: string, options: LinkOptions): string {
  for (const scheme of options.extraSchemes) {
    if (!isScheme(scheme)) throw fault(`'${scheme}' is not the scheme of an address`);
  }
  const words = splitAtSpaces(escapeMarkup(run, text));
  run.step(words.length * (1 + options.extraSchemes.length));
  const attributes =
    (options.rel === '' ? '' : ` rel="${escapeMarkup(run, options.rel)}"`) +
    (options.target === '' ? '' : ` target="${escapeMarkup(run, options.target)}"`);
  let length = 0;
  const parts = words.map((word, index) => {
    const part = index % 2 === 1 ? word : linkWord(run, word, attributes, options);
    length = run.grown(length, part.length);
    return part;
  });
  return parts.join('');
}

function linkWord(run: Run, word: string, attributes: string, options: LinkOptions): string {
  const [head, middle, tail] = withoutPunctuation(word);
  run.sized(middle.length * 2 + attributes.length);
  return head + linkAddress(middle, attributes, options) + tail;
}

function linkAddress(address: string, attributes: string, { shownLength, extraSchemes }: LinkOptions): string {
  if (addressPattern().test(address)) {
    const target = /^https?:\/\//.test(address) ? address : `https://${address}`;
    return `<a href="${target}"${attributes}>${shortened(address, shownLength)}</a>`;
  }
  if (address.startsWith('mailto:') && isMail(address.slice('mailto:'.length))) {
    return `<a href="${address}">${address.slice('mailto:'.length)}</a>`;
  }
  if (!/^(?:www\.|@)|:/.test(address) && isMail(address)) return `<a href="mailto:${address}">${address}</a>`;
  const scheme = extraSchemes.find((candidate) => address !== candidate && address.startsWith(candidate));
  return scheme === undefined ? address : `<a href="${address}"${attributes}>${address}</a>`;
}

function shortened(address: string, limit: number | undefined): string {
  if (limit === undefined || textLength(address) <= limit) return address;
  return `${Array.from(characters(address)).slice(0, limit).join('')}...`;
}

const TAIL_MARKS = ['&gt;', ')', '>', '.', ',', '\n'];
const PAIRS = [
  ['(', ')'],
  ['<', '>'],
  ['&lt;', '&gt;'],
] as const;

/** Punctuation before and behind a word; brackets that open within it are closed within it. */
function withoutPunctuation(word: string): readonly [string, string, string] {
  const head = /^(?:[(<]|&lt;)+/.exec(word)?.[0] ?? '';
  let end = word.length;
  for (let mark = tailMark(word, end); mark && end - mark.length >= head.length; mark = tailMark(word, end)) {
    end -= mark.length;
  }
  for (const [open, close] of PAIRS) {
    const middle = word.slice(head.length, end);
    const opened = occurrences(middle, open);
    if (opened > occurrences(middle, close)) end = behindOccurrence(word, close, end, opened);
  }
  return [head, word.slice(head.length, end), word.slice(end)];
}

function tailMark(word: string, end: number): string | undefined {
  return TAIL_MARKS.find((mark) => word.endsWith(mark, end));
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** Returns the index after a number of occurrences of a mark, or after the last one if there are fewer. */
function behindOccurrence(text: string, mark: string, from: number, count: number): number {
  let end = from;
  for (let left = count; left > 0; left--) {
    const at = text.indexOf(mark, end);
    if (at < 0) break;
    end = at + mark.length;
  }
  return end;
}
