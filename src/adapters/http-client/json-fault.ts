import { JsonTokens, MARK } from '../../app/kernel/json/json-tokens.ts';

export interface JsonFault {
  readonly position: number;
  readonly line: number;
  readonly column: number;
  /** The text ends where more should come. */
  readonly isCut: boolean;
}

/** Where a text that `JSON.parse` refused stops being JSON. Only asked then. */
export function findJsonFault(text: string): JsonFault {
  const position = faultAt(text);
  const before = text.slice(0, position);
  const lines = before.split('\n');
  return {
    position,
    line: lines.length,
    column: (lines.at(-1)?.length ?? 0) + 1,
    isCut: text.slice(position).trim() === '' || isOpenText(text, position),
  };
}

/** What may come next: a value, a name, … */
type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma' | 'nothing';

function faultAt(text: string): number {
  const tokens = new JsonTokens(text);
  const open: number[] = [];
  let expected: Expected = 'value';
  const behind = (): Expected => (open.length === 0 ? 'nothing' : 'comma');
  for (;;) {
    const mark = tokens.next();
    if (mark === MARK.none) return tokens.start;
    const { start } = tokens;
    const isClosing = mark === MARK.closeList || mark === MARK.closeObject;
    if (isClosing) {
      const empty = mark === MARK.closeList ? 'value or ]' : 'name or }';
      if (open.at(-1) !== mark || (expected !== 'comma' && expected !== empty)) return start;
      open.pop();
      expected = behind();
    } else if (mark === MARK.comma) {
      if (expected !== 'comma') return start;
      expected = open.at(-1) === MARK.closeObject ? 'name' : 'value';
    } else if (mark === MARK.colon) {
      if (expected !== 'colon') return start;
      expected = 'value';
    } else if (expected === 'name' || expected === 'name or }') {
      if (mark !== MARK.text || !isValue(tokens.token)) return start;
      expected = 'colon';
    } else if (expected !== 'value' && expected !== 'value or ]') {
      return start;
    } else if (mark === MARK.openList || mark === MARK.openObject) {
      open.push(mark === MARK.openList ? MARK.closeList : MARK.closeObject);
      expected = mark === MARK.openList ? 'value or ]' : 'name or }';
    } else {
      if (!isValue(tokens.token)) return start;
      expected = behind();
    }
  }
}

function isValue(token: string): boolean {
  try {
    JSON.parse(token);
    return true;
  } catch {
    return false;
  }
}

/** A text in quotes, number or word that the end cuts off. */
function isOpenText(text: string, position: number): boolean {
  const rest = text.slice(position);
  return (
    /^"(?:[^"\\]|\\.)*\\?$/s.test(rest) ||
    /^(?:t|tr|tru|f|fa|fal|fals|n|nu|nul|-|-?\d+[.eE]|-?\d+(?:\.\d+)?[eE][+-])$/.test(rest.trimEnd())
  );
}
