import { JsonTokens, MARK } from '../../kit/json/json-tokens.ts';

export interface JsonFault {
  readonly position: number;
  readonly line: number;
  readonly column: number;
  /** True if the text ends too early. */
  readonly isCut: boolean;
}

/** Finds the place at which a text that `JSON.parse` refused stops being JSON. Only called then. */
export function findJsonFault(text: string): JsonFault {
  const { position, isCut } = faultIn(text);
  const lines = text.slice(0, position).split('\n');
  return { position, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, isCut };
}

/** The kind of text that may come next: a value, a name, … */
type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma' | 'nothing';

function faultIn(text: string): Pick<JsonFault, 'position' | 'isCut'> {
  const tokens = new JsonTokens(text);
  const fault = (): Pick<JsonFault, 'position' | 'isCut'> => {
    const { start: position, end, token } = tokens;
    return { position, isCut: end === text.length && isBeginning(token) };
  };
  const open: number[] = [];
  let expected: Expected = 'value';
  const behind = (): Expected => (open.length === 0 ? 'nothing' : 'comma');
  for (;;) {
    const mark = tokens.next();
    if (mark === MARK.none) return { position: tokens.start, isCut: true };
    const isClosing = mark === MARK.closeList || mark === MARK.closeObject;
    if (isClosing) {
      const empty = mark === MARK.closeList ? 'value or ]' : 'name or }';
      if (open.at(-1) !== mark || (expected !== 'comma' && expected !== empty)) return fault();
      open.pop();
      expected = behind();
    } else if (mark === MARK.comma) {
      if (expected !== 'comma') return fault();
      expected = open.at(-1) === MARK.closeObject ? 'name' : 'value';
    } else if (mark === MARK.colon) {
      if (expected !== 'colon') return fault();
      expected = 'value';
    } else if (expected === 'name' || expected === 'name or }') {
      if (mark !== MARK.text || !isValue(tokens.token)) return fault();
      expected = 'colon';
    } else if (expected !== 'value' && expected !== 'value or ]') {
      return fault();
    } else if (mark === MARK.openList || mark === MARK.openObject) {
      open.push(mark === MARK.openList ? MARK.closeList : MARK.closeObject);
      expected = mark === MARK.openList ? 'value or ]' : 'name or }';
    } else {
      if (!isValue(tokens.token)) return fault();
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

/** A word or number that the end of the text cuts off. */
function isBeginning(token: string): boolean {
  const isWord = token !== '' && ['true', 'false', 'null'].some((word) => word !== token && word.startsWith(token));
  return isWord || (token.length < 400 && /^-?(?:\d+(?:\.|(?:\.\d+)?[eE][+-]?))?$/.test(token));
}
