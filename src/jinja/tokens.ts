import { tokenize } from '@huggingface/jinja';
import { endOfString, type Segment } from './segments.ts';
import { TemplateSyntaxError } from './syntax-error.ts';

export type TokenType =
  | 'Text'
  | 'NumericLiteral'
  | 'StringLiteral'
  | 'Identifier'
  | 'Equals'
  | 'OpenParen'
  | 'CloseParen'
  | 'OpenStatement'
  | 'CloseStatement'
  | 'OpenExpression'
  | 'CloseExpression'
  | 'OpenSquareBracket'
  | 'CloseSquareBracket'
  | 'OpenCurlyBracket'
  | 'CloseCurlyBracket'
  | 'Comma'
  | 'Dot'
  | 'Colon'
  | 'Pipe'
  | 'CallOperator'
  | 'AdditiveBinaryOperator'
  | 'MultiplicativeBinaryOperator'
  | 'ExponentiationBinaryOperator'
  | 'ComparisonBinaryOperator'
  | 'UnaryOperator'
  | 'Comment';

/** Written down here because the types of the parser's package do not resolve under NodeNext. */
interface ParserToken {
  readonly value: string;
  readonly type: TokenType;
}

/**
 * A token that notes its line when the parser looks at it, because the parser's errors tell no position.
 */
export class Token {
  readonly value: string;
  readonly line: number;
  readonly #type: TokenType;
  readonly #cursor: LineCursor;

  constructor(value: string, type: TokenType, cursor: LineCursor, line: number) {
    this.value = value;
    this.line = line;
    this.#type = type;
    this.#cursor = cursor;
  }

  get type(): TokenType {
    this.#cursor.line = this.line;
    return this.#type;
  }
}

export interface LineCursor {
  line: number;
}

/** No source can write a name that begins like this, so rewritten syntax cannot be forged. */
export const INTERNAL = '\u0000';
/** Callee of the call block that a `with` block is for the parser. */
export const WITH = `${INTERNAL}with`;
/** Begins the variable of a recursive loop. */
export const RECURSIVE = `${INTERNAL}recursive:`;
const ALIAS = '__muster_name_';

export function segmentTokens(segment: Segment, cursor: LineCursor): readonly Token[] {
  if (segment.kind === 'text') return [new Token(segment.text, 'Text', cursor, cursor.line)];
  if (segment.kind === 'account') return accountTokens(segment, cursor);
  const { code, line } = segment;
  const prepared = prepare(code, line);
  const [open, close] = segment.kind === 'print' ? ['{{', '}}'] : ['{%', '%}'];
  try {
    const tokens: readonly ParserToken[] = tokenize(`${open} ${prepared.code} ${close}`);
    return tokens.flatMap((token) => restore(token, prepared, cursor, line));
  } catch (error) {
    if (error instanceof TemplateSyntaxError) throw error;
    throw new TemplateSyntaxError(error instanceof Error ? error.message : 'unreadable tag', line);
  }
}

function accountTokens(segment: { account: string; field: string }, cursor: LineCursor): readonly Token[] {
  const make = (value: string, type: TokenType) => new Token(value, type, cursor, cursor.line);
  return [
    make('{{', 'OpenExpression'),
    make(`${INTERNAL}account`, 'Identifier'),
    make('(', 'OpenParen'),
    make(segment.account, 'StringLiteral'),
    make(',', 'Comma'),
    make(segment.field, 'StringLiteral'),
    make(')', 'CloseParen'),
    make('}}', 'CloseExpression'),
  ];
}

const MAX_DIGITS = 1200;

/** The parser's numbers are exact up to 2^53 only. */
function largeIntegerTokens(digits: string, cursor: LineCursor, line: number): readonly Token[] {
  if (digits.length > MAX_DIGITS) throw new TemplateSyntaxError('a number is too large', line);
  const make = (value: string, type: TokenType) => new Token(value, type, cursor, line);
  return [
    make(`${INTERNAL}integer`, 'Identifier'),
    make('(', 'OpenParen'),
    make(digits, 'StringLiteral'),
    make(')', 'CloseParen'),
  ];
}

interface Prepared {
  readonly code: string;
  readonly strings: readonly string[];
  readonly names: readonly string[];
  readonly numbers: readonly string[];
}

const FLOAT = /(?<!\.)\d+(?:_\d+)*(?:(?:\.\d+(?:_\d+)*)?[eE][+-]?\d+(?:_\d+)*|\.\d+(?:_\d+)*)/;
const INTEGER = /0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0[xX](?:_?[\da-fA-F])+|[1-9](?:_?\d)*|0(?:_?0)*/;

/** Texts, blanks, numbers and names. Classes of letters cost time to be made, and most templates have none beyond ASCII. */
function piecesOf(code: string): RegExp {
  const isPlain = /^[\t-~]*$/.test(code);
  const name = isPlain ? '[A-Za-z0-9_]+' : '[\\p{L}\\p{M}\\p{N}_]+';
  return new RegExp(`["']|\\s+|(${FLOAT.source})|(${INTEGER.source})|${name}`, isPlain ? 'g' : 'gu');
}

/**
 * The lexer refuses escapes, letters and numbers that Python takes, so it sees numbered stand-ins for texts, for
 * numbers and for names outside ASCII.
 */
function prepare(code: string, line: number): Prepared {
  const strings: string[] = [];
  const names: string[] = [];
  const numbers: string[] = [];
  const parts: string[] = [];
  let position = 0;
  const pattern = piecesOf(code);
  for (let match = pattern.exec(code); match; match = pattern.exec(code)) {
    const found = match[0];
    parts.push(code.slice(position, match.index));
    position = match.index + found.length;
    if (found === '"' || found === "'") {
      const end = endOfString(code, match.index, line);
      parts.push(`"${strings.length}"`);
      strings.push(unescapeText(code.slice(match.index + 1, end), line));
      position = end + 1;
      pattern.lastIndex = position;
    } else if (/^\s/.test(found)) {
      parts.push(' ');
    } else if (match[1] !== undefined || match[2] !== undefined) {
      // The spaces keep it apart from what follows: `1abc` and `007` are two tokens, as in Jinja.
      parts.push(` ${numbers.length} `);
      numbers.push(match[1] === undefined ? integerSource(found) : floatSource(found));
    } else if (/^\w+$/.test(found) || !/^[\p{L}_]/u.test(found)) {
      parts.push(found);
    } else {
      parts.push(`${ALIAS}${names.length}`);
      names.push(found.normalize('NFKC'));
    }
  }
  parts.push(code.slice(position));
  return { code: parts.join(''), strings, names, numbers };
}

/** The parser recognises a float by its decimal point. */
function floatSource(text: string): string {
  const plain = text.replaceAll('_', '').toLowerCase();
  return plain.includes('.') ? plain : plain.replace('e', '.0e');
}

function integerSource(text: string): string {
  return BigInt(text.replaceAll('_', '')).toString();
}

function restore(token: ParserToken, prepared: Prepared, cursor: LineCursor, line: number): Token | readonly Token[] {
  let { value } = token;
  if (token.type === 'NumericLiteral') {
    value = prepared.numbers[Number(value)] ?? value;
    if (!value.includes('.') && !Number.isSafeInteger(Number(value))) return largeIntegerTokens(value, cursor, line);
  }
  if (token.type === 'StringLiteral') value = prepared.strings[Number(value)] ?? '';
  if (token.type === 'Identifier' && value.startsWith(ALIAS)) {
    value = prepared.names[Number(value.slice(ALIAS.length))] ?? value;
  }
  return new Token(value, token.type, cursor, line);
}

const SIMPLE_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ["'", "'"],
  ['"', '"'],
  ['\\', '\\'],
  ['\n', ''],
]);

const HEX_LENGTH: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

/** Escapes as Python reads them: unknown ones keep their backslash. */
export function unescapeText(body: string, line?: number): string {
  if (!body.includes('\\')) return body;
  return body.replace(/\\(?:([0-7]{1,3})|([xuU])([0-9a-fA-F]*)|([\s\S]))/g, (whole, octal, kind, hex, other) => {
    if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
    if (other !== undefined) return SIMPLE_ESCAPES.get(other) ?? whole;
    const length = HEX_LENGTH.get(kind) ?? 0;
    const code = Number.parseInt(hex.slice(0, length), 16);
    if (hex.length < length || code > 0x10ffff) throw new TemplateSyntaxError(`unreadable escape '${whole}'`, line);
    return String.fromCodePoint(code) + hex.slice(length);
  });
}
