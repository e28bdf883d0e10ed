import { parse } from '@huggingface/jinja';
import { splitSegments } from './segments.ts';
import { TemplateSyntaxError } from './syntax-error.ts';
import { rewriteTag } from './token-rewrite.ts';
import { type LineCursor, segmentTokens, Token, WITH } from './tokens.ts';

/** The parser's tree, as far as it is used here. Its package exports no types for it. */
export type Node =
  | { readonly type: 'If'; readonly test: Node; readonly body: readonly Node[]; readonly alternate: readonly Node[] }
  | {
      readonly type: 'For';
      readonly loopvar: Node;
      readonly iterable: Node;
      readonly body: readonly Node[];
      readonly defaultBlock: readonly Node[];
    }
  | { readonly type: 'Set'; readonly assignee: Node; readonly value: Node | null; readonly body: readonly Node[] }
  | { readonly type: 'FilterStatement'; readonly filter: Node; readonly body: readonly Node[] }
  | { readonly type: 'Macro'; readonly name: Node; readonly args: readonly Node[]; readonly body: readonly Node[] }
  | {
      readonly type: 'CallStatement';
      readonly call: Extract<Node, { type: 'CallExpression' }>;
      readonly callerArgs: readonly Node[] | null;
      readonly body: readonly Node[];
    }
  | { readonly type: 'Comment' | 'Break' | 'Continue' }
  | { readonly type: 'Identifier' | 'StringLiteral'; readonly value: string }
  | { readonly type: 'IntegerLiteral' | 'FloatLiteral'; readonly value: number }
  | { readonly type: 'ArrayLiteral' | 'TupleLiteral'; readonly value: readonly Node[] }
  | { readonly type: 'ObjectLiteral'; readonly value: ReadonlyMap<Node, Node> }
  | { readonly type: 'MemberExpression'; readonly object: Node; readonly property: Node; readonly computed: boolean }
  | { readonly type: 'CallExpression'; readonly callee: Node; readonly args: readonly Node[] }
  | { readonly type: 'BinaryExpression'; readonly operator: Operator; readonly left: Node; readonly right: Node }
  | { readonly type: 'FilterExpression'; readonly operand: Node; readonly filter: Node }
  | { readonly type: 'SelectExpression'; readonly lhs: Node; readonly test: Node }
  | { readonly type: 'UnaryExpression'; readonly operator: Operator; readonly argument: Node }
  | { readonly type: 'SliceExpression'; readonly start?: Node; readonly stop?: Node; readonly step?: Node }
  | { readonly type: 'KeywordArgumentExpression'; readonly key: Node; readonly value: Node }
  | { readonly type: 'SpreadExpression' | 'KeywordSpreadExpression'; readonly argument: Node }
  | { readonly type: 'Ternary'; readonly condition: Node; readonly trueExpr: Node; readonly falseExpr: Node };

interface Operator {
  readonly value: string;
}

export const MAX_SOURCE_LENGTH = 64 * 1024;
const MAX_BLOCKS = 48;
const MAX_BRANCHES = 200;

export function parseTemplate(source: string, counted?: (tokens: number) => void): readonly Node[] {
  if (source.length > MAX_SOURCE_LENGTH) {
    throw new TemplateSyntaxError(`the template is longer than ${MAX_SOURCE_LENGTH} characters`);
  }
  const cursor: LineCursor = { line: 1 };
  const tokens = splitSegments(source).flatMap((segment) => {
    const found = segmentTokens(segment, cursor);
    return segment.kind === 'print' || segment.kind === 'statement' ? rewriteTag(found, cursor) : found;
  });
  counted?.(tokens.length);
  checkBlocks(tokens);
  return runParser(withAsCalls(tokens, cursor), cursor);
}

const CLOSED_BY: ReadonlyMap<string, string> = new Map([
  ['if', 'endif'],
  ['for', 'endfor'],
  ['filter', 'endfilter'],
  ['macro', 'endmacro'],
  ['call', 'endcall'],
  ['with', 'endwith'],
]);

/** Names the block that is left open, which the parser does not, and keeps its recursion in bounds. */
function checkBlocks(tokens: readonly Token[]): void {
  const open: { name: string; closer: string; line: number; branches: number }[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'OpenStatement') continue;
    const name = tokens[index + 1]?.value ?? '';
    const closer = CLOSED_BY.get(name) ?? (name === 'set' && isBlockSet(tokens, index) ? 'endset' : undefined);
    if (closer) open.push({ name, closer, line: token.line, branches: 0 });
    else if (name === open.at(-1)?.closer) open.pop();
    else if (name.startsWith('end')) throw new TemplateSyntaxError(`unexpected '${name}'`, token.line);
    else if (name === 'elif') {
      const block = open.at(-1);
      if (block && ++block.branches > MAX_BRANCHES) throw new TemplateSyntaxError("too many 'elif'", token.line);
    }
    if (open.length > MAX_BLOCKS) throw new TemplateSyntaxError('blocks are nested too deeply', token.line);
  }
  const unclosed = open.at(-1);
  if (unclosed)
    throw new TemplateSyntaxError(`'${unclosed.name}' is not closed by '${unclosed.closer}'`, unclosed.line);
}

/** The parser knows no `with`; its call blocks take the same names and the same body. */
function withAsCalls(tokens: readonly Token[], cursor: LineCursor): readonly Token[] {
  const result: Token[] = [];
  let isOpen = false;
  for (const [index, token] of tokens.entries()) {
    const make = (value: string, type: Token['type']) => new Token(value, type, cursor, token.line);
    const begins = tokens[index - 1]?.type === 'OpenStatement' && token.type === 'Identifier';
    if (begins && token.value === 'with') {
      isOpen = true;
      result.push(make('call', 'Identifier'), make(WITH, 'Identifier'), make('(', 'OpenParen'));
    } else if (begins && token.value === 'endwith') {
      result.push(make('endcall', 'Identifier'));
    } else {
      if (isOpen && token.type === 'CloseStatement') result.push(make(')', 'CloseParen'));
      isOpen &&= token.type !== 'CloseStatement';
      result.push(token);
    }
  }
  return result;
}

function isBlockSet(tokens: readonly Token[], start: number): boolean {
  for (let index = start + 1; index < tokens.length; index++) {
    const type = tokens[index]?.type;
    if (type === 'CloseStatement') return true;
    if (type === 'Equals') return false;
  }
  return false;
}

function runParser(tokens: readonly Token[], cursor: LineCursor): readonly Node[] {
  try {
    return parse([...tokens]).body as unknown as readonly Node[];
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    // A TypeError is the parser reading past the last token.
    const isEnd = error instanceof TypeError || error instanceof RangeError;
    throw new TemplateSyntaxError(isEnd ? 'unexpected end of the template' : message, cursor.line);
  }
}
