import { markedNumber, readJson } from './json-reader.ts';
import { isInexact, JsonTokens, MARK } from './json-tokens.ts';

/** Deeper texts are refused before they are parsed. */
const MAX_JSON_DEPTH = 64;
const SHOWN_PATH = 200;

/** Why a text was not taken as JSON. */
export class JsonRefusal extends Error {
  override readonly name = 'JsonRefusal';
  /** The rest of a sentence that begins with what the text is: `is not valid JSON: …`. */
  readonly reason: string;
  /** True if the text is not JSON at all, as opposed to JSON that must not be accepted as it is. */
  readonly isMalformed: boolean;

  /** The path of the fault, if known. */
  readonly path: string | undefined;

  constructor(reason: string, cause?: unknown, path?: string) {
    super(`the text ${reason}`, { cause });
    this.reason = reason;
    this.isMalformed = cause instanceof SyntaxError;
    this.path = path;
  }
}

/**
 * `JSON.parse` that changes nothing silently. Throws `JsonRefusal` for malformed JSON, nesting deeper than
 * `MAX_JSON_DEPTH` and names that an object has twice. Numbers that a double would change come out marked, as
 * `markedNumber` says, so that each place refuses them in its own way.
 */
export function parseJson(text: string): unknown {
  const { depth, members, inexact } = scan(text);
  if (depth > MAX_JSON_DEPTH) {
    throw new JsonRefusal(`is nested deeper than ${MAX_JSON_DEPTH} levels; send a flatter one`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new JsonRefusal(`is not valid JSON: ${(cause as Error).message}`, cause);
  }
  return inexact || membersOf(value) !== members ? readAgain(text) : value;
}

/** Also returns findings for text that is not JSON. */
function scan(text: string): { readonly depth: number; readonly members: number; readonly inexact: boolean } {
  const tokens = new JsonTokens(text);
  const mark = tokens.next();
  if (mark !== MARK.openObject && mark !== MARK.openList) {
    return { depth: 0, members: 0, inexact: mark === MARK.bare && isInexact(text, tokens.start, tokens.end) };
  }
  tokens.passContainer();
  return { depth: tokens.deepest, members: tokens.members, inexact: tokens.inexact };
}

function readAgain(text: string): unknown {
  return readJson(text, {
    number: markedNumber,
    repeated(path) {
      const shown = path.slice(0, SHOWN_PATH);
      throw new JsonRefusal(
        `is ambiguous: ${JSON.stringify(shown)} occurs twice; send each name once`,
        undefined,
        shown,
      );
    },
  });
}

/** Members of all objects together. */
export function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value) members += membersOf(item);
    return members;
  }
  for (const name in value) members += 1 + membersOf((value as Record<string, unknown>)[name]);
  return members;
}
