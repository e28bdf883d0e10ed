import { braceFormat } from './brace-format.ts';
import { type CallableTable, define, type Parameters } from './call.ts';
import { fault } from './fault.ts';
import {
  align,
  capitalize,
  countOf,
  countText,
  expandTabs,
  expectText,
  optionalText,
  replaceText,
  splitFromRight,
  splitText,
  strip,
  stripLeft,
  stripRight,
  titleWords,
} from './plain-text.ts';
import type { Run } from './run.ts';
import { iterate, sliceIndexes } from './sequence.ts';
import { findLastText, findText } from './text-search.ts';
import { PySequence, tuple, type Value } from './value.ts';

function affixes(run: Run, value: Value | undefined, what: string): readonly string[] {
  if (value instanceof PySequence && value.kind === 'tuple') {
    run.step(value.items.length);
    return value.items.map((item) => expectText(item, what));
  }
  return [expectText(value, what)];
}

/** The part of a text that `find(needle, start, end)` and its like look at, and where it begins. */
function window(text: string, [, start, end]: Parameters): { part: string; from: number } {
  if (start === undefined && end === undefined) return { part: text, from: 0 };
  const bounds = sliceIndexes(text.length, countOf(start, 0, 'start'), countOf(end, text.length, 'end'), 1);
  return { part: text.slice(bounds.from, bounds.from + bounds.count), from: bounds.from };
}

function locate(text: string, args: Parameters, fromEnd: boolean): number {
  const needle = expectText(args[0], 'the text to find');
  const { part, from } = window(text, args);
  const found = fromEnd ? findLastText(part, needle) : findText(part, needle);
  return found < 0 ? -1 : from + found;
}

function locateOrFail(text: string, args: Parameters, fromEnd: boolean): number {
  const found = locate(text, args, fromEnd);
  if (found < 0) throw fault('substring not found');
  return found;
}

function partition(text: string, separator: string, fromEnd: boolean): PySequence {
  if (separator === '') throw fault('partition() needs a separator that is not empty');
  const found = fromEnd ? findLastText(text, separator) : findText(text, separator);
  if (found < 0) return tuple(fromEnd ? ['', '', text] : [text, '', '']);
  return tuple([text.slice(0, found), separator, text.slice(found + separator.length)]);
}

export function joinTexts(run: Run, separator: string, parts: readonly string[]): string {
  let length = 0;
  for (const part of parts) length += part.length;
  run.step(parts.length);
  run.sized(length + separator.length * Math.max(parts.length - 1, 0));
  return parts.join(separator);
}

function zeroFill(run: Run, text: string, width: number): string {
  const sign = /^[+-]/.test(text) ? text.charAt(0) : '';
  return sign + align(run, text.slice(sign.length), width - sign.length, 'right', '0');
}

const LINE_BREAKS = '\n\r\v\f\u001c\u001d\u001e\u0085\u2028\u2029';

export function splitLines(run: Run, text: string, keepEnds: boolean): readonly string[] {
  run.sized(text.length);
  const lines: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (!LINE_BREAKS.includes(text.charAt(at))) continue;
    const end = text.startsWith('\r\n', at) ? at + 2 : at + 1;
    lines.push(text.slice(start, keepEnds ? end : at));
    at = end - 1;
    start = end;
  }
  if (start < text.length) lines.push(text.slice(start));
  run.step(lines.length);
  return lines;
}

function isCased(text: string, wanted: 'upper' | 'lower'): boolean {
  if (text.toLowerCase() === text.toUpperCase()) return false;
  return wanted === 'upper' ? text === text.toUpperCase() : text === text.toLowerCase();
}

function swapCase(text: string): string {
  return Array.from(text, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  ).join('');
}

function stripWith(text: string, characters: Value | undefined, left: boolean, right: boolean): string {
  const set = optionalText(characters, 'the characters to strip');
  const started = left ? stripLeft(text, set) : text;
  return right ? stripRight(started, set) : started;
}

function aligned(alignment: 'left' | 'right' | 'center') {
  return (run: Run, text: string, [width, fill]: Parameters) =>
    align(run, text, countOf(width, 0, 'width'), alignment, fill === undefined ? ' ' : expectText(fill, 'fill'));
}

// Patterns with classes of letters are inside functions, so that they are compiled on first use and not at every start.
export const STRING_METHODS: CallableTable<string> = new Map([
  define<string>('upper()', (_run, text) => text.toUpperCase()),
  define<string>('lower()', (_run, text) => text.toLowerCase()),
  define<string>('casefold()', (_run, text) => text.replaceAll('ß', 'ss').toLowerCase()),
  define<string>('title()', (_run, text) => titleWords(text)),
  define<string>('capitalize()', (_run, text) => capitalize(text)),
  define<string>('swapcase()', (_run, text) => swapCase(text)),
  define<string>('strip(chars?)', (_run, text, [set]) => (set ? stripWith(text, set, true, true) : strip(text))),
  define<string>('lstrip(chars?)', (_run, text, [set]) => stripWith(text, set, true, false)),
  define<string>('rstrip(chars?)', (_run, text, [set]) => stripWith(text, set, false, true)),
  define<string>('split(sep?, maxsplit?)', (run, text, [separator, limit]) =>
    splitText(run, text, optionalText(separator, 'a separator'), countOf(limit, -1, 'maxsplit')),
  ),
  define<string>('rsplit(sep?, maxsplit?)', (run, text, [separator, limit]) =>
    splitFromRight(run, text, optionalText(separator, 'a separator'), countOf(limit, -1, 'maxsplit')),
  ),
  define<string>('splitlines(keepends?)', (run, text, [keep]) => splitLines(run, text, keep === true)),
  define<string>('partition(sep)', (_run, text, [sep]) => partition(text, expectText(sep, 'a separator'), false)),
  define<string>('rpartition(sep)', (_run, text, [sep]) => partition(text, expectText(sep, 'a separator'), true)),
  define<string>('replace(old, new, count?)', (run, text, [old, fresh, count]) =>
    replaceText(
      run,
      text,
      expectText(old, 'the old text'),
      expectText(fresh, 'the new text'),
      countOf(count, -1, 'count'),
    ),
  ),
  define<string>('startswith(prefix, start?, end?)', (run, text, args) =>
    affixes(run, args[0], 'a prefix').some((prefix) => window(text, args).part.startsWith(prefix)),
  ),
  define<string>('endswith(suffix, start?, end?)', (run, text, args) =>
    affixes(run, args[0], 'a suffix').some((suffix) => window(text, args).part.endsWith(suffix)),
  ),
  define<string>('removeprefix(prefix)', (_run, text, [value]) => {
    const prefix = expectText(value, 'a prefix');
    return text.startsWith(prefix) ? text.slice(prefix.length) : text;
  }),
  define<string>('removesuffix(suffix)', (_run, text, [value]) => {
    const suffix = expectText(value, 'a suffix');
    return text.endsWith(suffix) ? text.slice(0, text.length - suffix.length) : text;
  }),
  define<string>('find(sub, start?, end?)', (_run, text, args) => locate(text, args, false)),
  define<string>('rfind(sub, start?, end?)', (_run, text, args) => locate(text, args, true)),
  define<string>('index(sub, start?, end?)', (_run, text, args) => locateOrFail(text, args, false)),
  define<string>('rindex(sub, start?, end?)', (_run, text, args) => locateOrFail(text, args, true)),
  define<string>('count(sub, start?, end?)', (_run, text, args) =>
    countText(window(text, args).part, expectText(args[0], 'the text to count')),
  ),
  define<string>('join(iterable)', (run, text, [items]) =>
    joinTexts(
      run,
      text,
      iterate(run, items ?? null).map((item) => expectText(item, 'every joined element')),
    ),
  ),
  define<string>('zfill(width)', (run, text, [width]) => zeroFill(run, text, countOf(width, 0, 'width'))),
  define<string>('expandtabs(tabsize?)', (run, text, [size]) => expandTabs(run, text, countOf(size, 8, 'tabsize'))),
  define<string>('center(width, fillchar?)', aligned('center')),
  define<string>('ljust(width, fillchar?)', aligned('left')),
  define<string>('rjust(width, fillchar?)', aligned('right')),
  define<string>('isdigit()', (_run, text) => /^[\p{Nd}\u00b2\u00b3\u00b9\u2070-\u2079\u2080-\u2089]+$/u.test(text)),
  define<string>('isdecimal()', (_run, text) => /^\p{Nd}+$/u.test(text)),
  define<string>('isnumeric()', (_run, text) => /^\p{N}+$/u.test(text)),
  define<string>('isalpha()', (_run, text) => /^\p{L}+$/u.test(text)),
  define<string>('isalnum()', (_run, text) => /^[\p{L}\p{N}]+$/u.test(text)),
  define<string>('isspace()', (_run, text) => text !== '' && strip(text) === ''),
  define<string>('isascii()', (_run, text) => !/[\u0080-\uffff]/.test(text)),
  define<string>('isidentifier()', (_run, text) => /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u.test(text)),
  define<string>('islower()', (_run, text) => isCased(text, 'lower')),
  define<string>('isupper()', (_run, text) => isCased(text, 'upper')),
  define<string>('istitle()', (_run, text) => /\p{L}/u.test(text) && titleWords(text) === text),
  define<string>('format(...)', (run, text, _args, all) => braceFormat(run, text, all)),
]);
