import { fault } from './fault.ts';
import { toIndex } from './number.ts';
import type { Run } from './run.ts';
import { textLength } from './sequence.ts';
import { findLastText, findText } from './text-search.ts';
import { typeName, type Value } from './value.ts';

function isSpaceCode(code: number): boolean {
  if (code === 32 || (code >= 9 && code <= 13) || (code >= 28 && code <= 31)) return true;
  if (code < 128) return false;
  return code === 0x85 || (code !== 0xfeff && /\s/.test(String.fromCharCode(code)));
}

/** Python's `strip()`; a text without outer white space costs two comparisons. */
export function strip(text: string): string {
  const { length } = text;
  if (length === 0) return text;
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(length - 1);
  if (first > 32 && first < 127 && last > 32 && last < 127) return text;
  return stripRight(stripLeft(text));
}

export function stripLeft(text: string, characters?: string): string {
  const isStripped = codeTest(characters);
  let start = 0;
  while (start < text.length && isStripped(text.charCodeAt(start))) start++;
  return text.slice(start);
}

export function stripRight(text: string, characters?: string): string {
  const isStripped = codeTest(characters);
  let end = text.length;
  while (end > 0 && isStripped(text.charCodeAt(end - 1))) end--;
  return text.slice(0, end);
}

function codeTest(characters: string | undefined): (code: number) => boolean {
  if (characters === undefined) return isSpaceCode;
  const codes = new Set<number>();
  for (let index = 0; index < characters.length; index++) codes.add(characters.charCodeAt(index));
  return (code) => codes.has(code);
}

export function expectText(value: Value | undefined, what: string): string {
  if (typeof value === 'string') return value;
  throw fault(`${what} must be a text, not ${typeName(value ?? null)}`);
}

export function optionalText(value: Value | undefined, what: string): string | undefined {
  return value === undefined || value === null ? undefined : expectText(value, what);
}

export function countOf(value: Value | undefined, fallback: number, what: string): number {
  return value === undefined || value === null ? fallback : toIndex(value, what);
}

export function splitText(run: Run, text: string, separator: string | undefined, limit: number): string[] {
  run.sized(text.length);
  const parts = separator === undefined ? splitSpaces(text, limit) : splitAt(text, separator, limit);
  run.step(parts.length);
  return parts;
}

function splitAt(text: string, separator: string, limit: number): string[] {
  if (separator === '') throw fault('split() needs a separator that is not empty');
  const parts: string[] = [];
  let position = 0;
  while (limit < 0 || parts.length < limit) {
    const found = findText(text, separator, position);
    if (found < 0) break;
    parts.push(text.slice(position, found));
    position = found + separator.length;
  }
  parts.push(text.slice(position));
  return parts;
}

function splitSpaces(text: string, limit: number): string[] {
  const parts: string[] = [];
  let rest = stripLeft(text);
  while (rest !== '' && (limit < 0 || parts.length < limit)) {
    let end = 0;
    while (end < rest.length && !isSpaceCode(rest.charCodeAt(end))) end++;
    parts.push(rest.slice(0, end));
    rest = stripLeft(rest.slice(end));
  }
  if (rest !== '') parts.push(rest);
  return parts;
}

export function splitFromRight(run: Run, text: string, separator: string | undefined, limit: number): string[] {
  if (limit < 0) return splitText(run, text, separator, limit);
  run.sized(text.length);
  if (separator === '') throw fault('rsplit() needs a separator that is not empty');
  const parts: string[] = [];
  let rest = separator === undefined ? stripRight(text) : text;
  while (parts.length < limit && rest !== '') {
    const found = separator === undefined ? lastSpace(rest) : findLastText(rest, separator);
    if (found < 0) break;
    parts.push(rest.slice(found + (separator?.length ?? 1)));
    rest = separator === undefined ? stripRight(rest.slice(0, found)) : rest.slice(0, found);
  }
  if (separator !== undefined || rest !== '') parts.push(rest);
  run.step(parts.length);
  return parts.reverse();
}

function lastSpace(text: string): number {
  let index = text.length - 1;
  while (index >= 0 && !isSpaceCode(text.charCodeAt(index))) index--;
  return index;
}

export function countText(text: string, needle: string): number {
  if (needle === '') return textLength(text) + 1;
  let count = 0;
  for (let at = findText(text, needle); at >= 0; at = findText(text, needle, at + needle.length)) count++;
  return count;
}

/** The length of the result is known before it is made. */
export function replaceText(run: Run, text: string, old: string, fresh: string, limit: number): string {
  run.sized(text.length);
  const found = countText(text, old);
  const count = limit < 0 ? found : Math.min(found, limit);
  run.sized(text.length + count * (fresh.length - old.length));
  run.step(count >>> 4);
  if (count === 0) return text;
  if (old === '') return insertBetween(text, fresh, count);
  return splitAt(text, old, count).join(fresh);
}

function insertBetween(text: string, fresh: string, count: number): string {
  const letters = Array.from(text);
  const marked = letters.slice(0, count).map((letter) => fresh + letter);
  return marked.join('') + letters.slice(count).join('') + (count > letters.length ? fresh : '');
}

/** `str.title()`: every run of letters. */
export function titleWords(text: string): string {
  return text.replace(/\p{L}[\p{L}\p{M}]*/gu, capitalize);
}

export function capitalize(text: string): string {
  const [first = ''] = text;
  const [upper = '', ...more] = first.toUpperCase();
  return upper + more.join('').toLowerCase() + text.slice(first.length).toLowerCase();
}

/** Expands tabs. Columns restart at line ends. A size of zero or less removes the tabs. */
export function expandTabs(run: Run, text: string, size: number): string {
  if (size <= 0) return text.replaceAll('\t', '');
  const [first = '', ...rest] = text.split('\t');
  run.step(rest.length >>> 4);
  let result = first;
  let column = columnsSinceLineEnd(first);
  for (const part of rest) {
    const width = size - (column % size);
    run.grown(result.length, width + part.length);
    result += ' '.repeat(width) + part;
    column = hasLineEnd(part) ? columnsSinceLineEnd(part) : column + width + textLength(part);
  }
  return result;
}

function hasLineEnd(text: string): boolean {
  return text.includes('\n') || text.includes('\r');
}

function columnsSinceLineEnd(text: string): number {
  return textLength(text.slice(Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1));
}

export type Alignment = 'left' | 'right' | 'center';

export function align(run: Run, text: string, width: number, alignment: Alignment, fill = ' '): string {
  if (textLength(fill) !== 1) throw fault('a fill text must be one character');
  const missing = width - textLength(text);
  if (missing <= 0) return text;
  run.sized(text.length + missing * fill.length);
  if (alignment === 'left') return text + fill.repeat(missing);
  if (alignment === 'right') return fill.repeat(missing) + text;
  // CPython puts the odd character to the left only when the width is odd too.
  const before = Math.floor(missing / 2) + (missing & width & 1);
  return fill.repeat(before) + text + fill.repeat(missing - before);
}
