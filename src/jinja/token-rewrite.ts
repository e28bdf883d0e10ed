import { TemplateSyntaxError } from './syntax-error.ts';
import { INTERNAL, type LineCursor, RECURSIVE, Token, type TokenType } from './tokens.ts';

const MAX_BRACKETS = 48;
const MAX_PREFIXES = 48;
const KEYWORDS: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', 'is', 'if', 'else', 'elif']);

const CLOSER: ReadonlyMap<TokenType, TokenType> = new Map([
  ['OpenParen', 'CloseParen'],
  ['OpenSquareBracket', 'CloseSquareBracket'],
  ['OpenCurlyBracket', 'CloseCurlyBracket'],
]);

/**
 * Rewrites the tokens of one tag into the syntax that the parser understands, keeping Jinja's meaning:
 * `x is divisibleby(3)` becomes a filter (both bind alike in Jinja); parentheses become a call, so that
 * `(a < b) < c` stays different from the chain `a < b < c` and tuples of every length can be distinguished from groups.
 */
export function rewriteTag(tokens: readonly Token[], cursor: LineCursor): readonly Token[] {
  const first = tokens[0];
  if (!first || tokens.length < 3) throw new TemplateSyntaxError('a tag is empty', first?.line);
  checkNesting(tokens);
  checkAdjacency(tokens);
  const inner = rewriteTests(rewriteGroups(markRecursion(tokens, cursor), cursor), cursor);
  return first.type === 'OpenExpression' ? wrapPrintedTuple(inner, cursor) : inner;
}

/** `for x in y recursive`: the parser knows no such word, so the name before `in` says it. */
function markRecursion(tokens: readonly Token[], cursor: LineCursor): readonly Token[] {
  const word = tokens.at(-2);
  if (!isName(tokens[1], 'for') || !isName(word, 'recursive') || isKeyword(tokens.at(-3) as Token)) return tokens;
  const [name, following] = tokens.slice(2, 4);
  if (name?.type !== 'Identifier' || !isName(following, 'in')) {
    throw new TemplateSyntaxError('a recursive loop has one variable', word?.line);
  }
  return [
    ...tokens.slice(0, 2),
    make(`${RECURSIVE}${name.value}`, 'Identifier', name, cursor),
    ...tokens.slice(3, -2),
    ...tokens.slice(-1),
  ];
}

function make(value: string, type: TokenType, like: Token, cursor: LineCursor): Token {
  return new Token(value, type, cursor, like.line);
}

/** The parser recurses at brackets and prefixes; a limit here keeps it off the end of the stack. */
function checkNesting(tokens: readonly Token[]): void {
  const open: TokenType[] = [];
  let prefixes = 0;
  let alternatives = 0;
  for (const token of tokens) {
    const closer = CLOSER.get(token.type);
    if (closer) open.push(closer);
    else if (token.type.startsWith('Close') && open.length > 0 && open.pop() !== token.type) {
      throw new TemplateSyntaxError('brackets do not match', token.line);
    }
    const isPrefix =
      token.type === 'UnaryOperator' ||
      token.type === 'AdditiveBinaryOperator' ||
      (token.type === 'Identifier' && token.value === 'not');
    prefixes = isPrefix ? prefixes + 1 : 0;
    if (token.type === 'Identifier' && token.value === 'else') alternatives++;
    if (open.length > MAX_BRACKETS || prefixes > MAX_PREFIXES || alternatives > MAX_PREFIXES) {
      throw new TemplateSyntaxError('an expression is nested too deeply', token.line);
    }
  }
}

function isKeyword(token: Token): boolean {
  return token.type === 'Identifier' && KEYWORDS.has(token.value);
}

function endsValue(token: Token): boolean {
  if (token.type === 'Identifier') return !isKeyword(token);
  return token.type === 'NumericLiteral' || token.type === 'StringLiteral' || CLOSES.has(token.type);
}

const CLOSES: ReadonlySet<TokenType> = new Set(CLOSER.values());

/** The parser takes `[1 2]` and `f(a b)`; Jinja does not. */
function checkAdjacency(tokens: readonly Token[]): void {
  const start = tokens[0]?.type === 'OpenStatement' ? 3 : 2;
  const behindSignature = isName(tokens[1], 'call') && tokens[2]?.type === 'OpenParen' ? bracketEnd(tokens, 2) : -1;
  const recursive = isName(tokens[1], 'for') && isName(tokens.at(-2), 'recursive') ? tokens.length - 2 : -1;
  for (let index = start; index < tokens.length; index++) {
    if (index === behindSignature || index === recursive) continue;
    const previous = tokens[index - 1]!;
    const token = tokens[index]!;
    const beginsValue =
      token.type === 'NumericLiteral' ||
      token.type === 'StringLiteral' ||
      token.type === 'OpenCurlyBracket' ||
      (token.type === 'Identifier' && !isKeyword(token));
    const areTexts = previous.type === 'StringLiteral' && token.type === 'StringLiteral';
    const isTest = isTestName(tokens, index - 1);
    const isOut =
      (beginsValue && endsValue(previous) && !areTexts && !isTest) ||
      (joinsNothing(tokens, index) && endsValue(previous) && !isTest) ||
      (previous.type === 'Dot' && token.type !== 'Identifier' && token.type !== 'NumericLiteral');
    if (isOut) throw new TemplateSyntaxError(`unexpected '${token.value.replace(INTERNAL, '')}'`, token.line);
  }
}

/** A word or sign that is written before a value, behind one: `(a not b)`, `({} + b)`. Only `not in` is between two. */
function joinsNothing(tokens: readonly Token[], index: number): boolean {
  if (tokens[index]?.type === 'UnaryOperator') return true;
  return isName(tokens[index], 'not') && !isName(tokens[index + 1], 'in');
}

function isName(token: Token | undefined, name: string): boolean {
  return token?.type === 'Identifier' && token.value === name;
}

/** Whether the token names a test: `x is <name>`, `x is not <name>`. */
function isTestName(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1];
  return isName(before, 'is') || (isName(before, 'not') && isName(tokens[index - 2], 'is'));
}

function rewriteGroups(tokens: readonly Token[], cursor: LineCursor): readonly Token[] {
  const result: Token[] = [];
  const open: { at: number; isTuple: boolean }[] = [];
  for (const [index, token] of tokens.entries()) {
    const previous = tokens[index - 1];
    if (CLOSER.has(token.type)) {
      const isGroup = token.type === 'OpenParen' && previous && !endsValue(previous) && !isTestName(tokens, index - 1);
      if (isGroup) result.push(make(`${INTERNAL}group`, 'Identifier', token, cursor));
      open.push({ at: isGroup ? result.length - 1 : -1, isTuple: tokens[index + 1]?.type === 'CloseParen' });
    } else if (token.type === 'Comma') {
      const group = open.at(-1);
      if (group) group.isTuple = true;
    } else if (CLOSES.has(token.type)) {
      const group = open.pop();
      if (group?.isTuple && group.at >= 0) {
        result[group.at] = make(`${INTERNAL}tuple`, 'Identifier', token, cursor);
      }
    }
    result.push(token);
  }
  return result;
}

function rewriteTests(tokens: readonly Token[], cursor: LineCursor): readonly Token[] {
  const result: Token[] = [];
  let index = 0;
  while (index < tokens.length) {
    const token = tokens[index]!;
    const before = tokens[index - 1];
    if (!isName(token, 'is') || before?.type === 'Dot' || before?.type === 'Pipe' || index < 2) {
      result.push(token);
      index++;
      continue;
    }
    const negated = isName(tokens[index + 1], 'not');
    const nameAt = index + (negated ? 2 : 1);
    const name = tokens[nameAt];
    if (name?.type !== 'Identifier')
      throw new TemplateSyntaxError("expected the name of a test after 'is'", token.line);
    const end = argumentEnd(tokens, nameAt + 1);
    if (isName(tokens[end], 'is')) throw new TemplateSyntaxError("tests cannot be chained with 'is'", token.line);
    const isCall = tokens[nameAt + 1]?.type === 'OpenParen';
    const argument = rewriteTests(tokens.slice(isCall ? nameAt + 2 : nameAt + 1, isCall ? end - 1 : end), cursor);
    result.push(
      make('|', 'Pipe', token, cursor),
      make(`${INTERNAL}${negated ? 'isnot' : 'is'}:${name.value}`, 'Identifier', name, cursor),
      make('(', 'OpenParen', token, cursor),
      ...argument,
      make(')', 'CloseParen', token, cursor),
    );
    index = end;
  }
  return result;
}

/** End of a test's argument: a parenthesised list, or a primary expression with its postfixes, or nothing. */
function argumentEnd(tokens: readonly Token[], start: number): number {
  const first = tokens[start];
  if (!first) return start;
  if (first.type === 'OpenParen') return bracketEnd(tokens, start);
  let end = start;
  if (first.type === 'StringLiteral') {
    while (tokens[end]?.type === 'StringLiteral') end++;
  } else if (first.type === 'NumericLiteral' || (first.type === 'Identifier' && !isKeyword(first))) {
    end++;
  } else if (CLOSER.has(first.type)) {
    end = bracketEnd(tokens, start);
  } else {
    return start;
  }
  for (;;) {
    const type = tokens[end]?.type;
    if (type === 'Dot') end += 2;
    else if (type === 'OpenSquareBracket' || type === 'OpenParen') end = bracketEnd(tokens, end);
    else return end;
  }
}

function bracketEnd(tokens: readonly Token[], start: number): number {
  let depth = 0;
  for (let index = start; index < tokens.length; index++) {
    const { type } = tokens[index]!;
    if (CLOSER.has(type)) depth++;
    else if (CLOSES.has(type)) depth--;
    if (depth === 0) return index + 1;
  }
  throw new TemplateSyntaxError('a bracket is not closed', tokens[start]?.line);
}

/** `{{ 1, 2 }}` prints a tuple. */
function wrapPrintedTuple(tokens: readonly Token[], cursor: LineCursor): readonly Token[] {
  let depth = 0;
  const hasComma = tokens.some(({ type }) => {
    if (CLOSER.has(type)) depth++;
    else if (CLOSES.has(type)) depth--;
    return depth === 0 && type === 'Comma';
  });
  const [open] = tokens;
  const close = tokens.at(-1);
  if (!hasComma || !open || !close) return tokens;
  return [
    open,
    make(`${INTERNAL}tuple`, 'Identifier', open, cursor),
    make('(', 'OpenParen', open, cursor),
    ...tokens.slice(1, -1),
    make(')', 'CloseParen', close, cursor),
    close,
  ];
}
