import { TemplateSyntaxError } from './syntax-error.ts';

export type Segment =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print' | 'statement'; readonly code: string; readonly line: number }
  | { readonly kind: 'account'; readonly account: string; readonly field: string };

interface Tag {
  readonly kind: 'print' | 'statement' | 'comment';
  readonly code: string;
  readonly end: number;
  readonly stripBefore: boolean;
  readonly stripAfter: boolean;
}

/**
 * Cuts a source into text and tags. The parser's own lexer gets the tags only: it knows no `raw` blocks and no line
 * numbers, and one of its patterns takes quadratic time on long runs of white space.
 */
export function splitSegments(original: string): readonly Segment[] {
  const source = original.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const segments: Segment[] = [];
  const lines = lineCounter(source);
  let position = 0;
  let stripNext = false;
  const addText = (text: string, stripEnd: boolean): void => {
    let kept = stripNext ? text.trimStart() : text;
    if (stripEnd) kept = kept.trimEnd();
    if (kept !== '') segments.push({ kind: 'text', text: kept });
  };
  while (position < source.length) {
    const start = findTag(source, position);
    if (start < 0) break;
    const line = lines(start);
    const tag = readTag(source, start, line);
    addText(source.slice(position, start), tag.stripBefore);
    stripNext = tag.stripAfter;
    position = tag.end;
    if (tag.kind === 'comment') continue;
    if (tag.kind === 'statement' && tag.code === 'raw') {
      const end = findEndRaw(source, position, line);
      addText(source.slice(position, end.start), end.stripBefore);
      stripNext = end.stripAfter;
      position = end.end;
      continue;
    }
    segments.push(accountMacro(tag, line) ?? { kind: tag.kind, code: tag.code, line });
  }
  addText(source.slice(position), false);
  return segments;
}

function lineCounter(source: string): (position: number) => number {
  let line = 1;
  let seen = 0;
  return (position) => {
    for (; seen < position; seen++) if (source.charCodeAt(seen) === 10) line++;
    return line;
  };
}

function findTag(source: string, from: number): number {
  for (let at = source.indexOf('{', from); at >= 0; at = source.indexOf('{', at + 1)) {
    const next = source[at + 1];
    if (next === '{' || next === '%' || next === '#') return at;
  }
  return -1;
}

function readTag(source: string, start: number, line: number): Tag {
  const opener = source[start + 1];
  if (opener === '#') {
    const close = source.indexOf('#}', start + 2);
    if (close < 0) throw new TemplateSyntaxError('a comment is not closed', line);
    return finishTag('comment', source, start + 2, close, close + 2);
  }
  const kind = opener === '{' ? 'print' : 'statement';
  const close = findTagEnd(source, start + 2, kind === 'print' ? '}}' : '%}', line);
  return finishTag(kind, source, start + 2, close, close + 2);
}

function finishTag(kind: Tag['kind'], source: string, from: number, to: number, end: number): Tag {
  const first = source[from];
  const last = to > from ? source[to - 1] : '';
  const stripBefore = first === '-';
  const marksStart = stripBefore || (first === '+' && kind === 'statement');
  const stripAfter = last === '-' && (to - 1 > from || !stripBefore);
  const marksEnd = stripAfter || (last === '+' && kind !== 'print');
  const code = source.slice(marksStart ? from + 1 : from, marksEnd ? to - 1 : to).trim();
  return { kind, code, end, stripBefore, stripAfter };
}

function findTagEnd(source: string, from: number, closer: string, line: number): number {
  let depth = 0;
  for (let at = from; at < source.length; at++) {
    const character = source[at];
    if (character === '"' || character === "'") {
      at = endOfString(source, at, line);
      continue;
    }
    if (depth === 0 && source.startsWith(closer, at)) return at;
    if (character === '{') depth++;
    else if (character === '}') depth--;
  }
  throw new TemplateSyntaxError(`a tag is not closed by '${closer}'`, line);
}

/** Position of the closing quotation mark. */
export function endOfString(source: string, start: number, line: number): number {
  const mark = source[start];
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === mark) return at;
  }
  throw new TemplateSyntaxError('a text in quotation marks is not closed', line);
}

function findEndRaw(source: string, from: number, line: number) {
  for (let at = source.indexOf('{%', from); at >= 0; at = source.indexOf('{%', at + 2)) {
    const close = source.indexOf('%}', at);
    if (close < 0) break;
    if (close - at > 100) continue;
    const tag = finishTag('statement', source, at + 2, close, close + 2);
    if (tag.code === 'endraw') return { ...tag, start: at };
  }
  throw new TemplateSyntaxError("'raw' is not closed by 'endraw'", line);
}

/** `{{ACCOUNT:<account>:<field>}}`. The last colon separates, so that an account's name may contain one. */
function accountMacro(tag: Tag, line: number): Segment | undefined {
  if (tag.kind !== 'print' || !tag.code.startsWith('ACCOUNT:')) return undefined;
  const rest = tag.code.slice('ACCOUNT:'.length);
  const colon = rest.lastIndexOf(':');
  const account = rest.slice(0, Math.max(colon, 0)).trim();
  const field = rest.slice(colon + 1).trim();
  if (account === '' || field === '') {
    throw new TemplateSyntaxError("expected 'ACCOUNT:<account>:<field>'", line);
  }
  return { kind: 'account', account, field };
}
