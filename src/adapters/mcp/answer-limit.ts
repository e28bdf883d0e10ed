import { JsonTokens, MARK } from '../../kit/json/json-tokens.ts';

/**
 * Most characters of JSON in the answer of a tool: a model cannot use more than it can read. A tool with more describes in
 * `truncated` what is missing and how to get it.
 */
export const ANSWER_CHARACTERS = 100_000;

export interface CutJson {
  /** A complete JSON document. */
  readonly text: string;
  /** How many members or items at the depth it has. */
  readonly items: number;
}

/**
 * Returns the beginning of a JSON document as a document of its own: cut after the last complete member or item of the container
 * at this depth (1 is the document itself), with everything that is open closed. `undefined` if that container does not begin in
 * the text.
 */
export function cutJson(beginning: string, depth: number): CutJson | undefined {
  const tokens = new JsonTokens(beginning);
  const open: string[] = [];
  let end = -1;
  let closers = '';
  let items = 0;
  for (let mark = tokens.next(); mark !== MARK.none; mark = tokens.next()) {
    if (mark === MARK.openObject || mark === MARK.openList) {
      open.push(mark === MARK.openObject ? '}' : ']');
      if (open.length !== depth || end !== -1) continue;
      end = tokens.end;
      closers = open.toReversed().join('');
    } else if (mark === MARK.closeObject || mark === MARK.closeList) {
      open.pop();
      if (open.length !== depth) continue;
      end = tokens.end;
      items++;
    }
  }
  return end === -1 ? undefined : { text: beginning.slice(0, end) + closers, items };
}
