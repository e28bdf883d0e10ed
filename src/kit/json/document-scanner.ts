import type { JsonValue, Wording } from '../../ports/index.ts';
import { WordedError, worded } from '../worded.ts';
import { parseExact, type SeenJson } from './exact-numbers.ts';
import { JsonTokens, MARK } from './json-tokens.ts';

/** `cut`: the text ends in the middle. `second`: another document follows, as in JSON Lines. */
type DocumentFaultKind = 'cut' | 'second' | 'content';

/** Text that is not JSON, or not of the expected shape. The message completes a sentence that begins with the file. */
export class DocumentFault extends WordedError {
  override readonly name = 'DocumentFault';
  readonly kind: DocumentFaultKind;
  /** The line of the fault, if the scanner knows it. */
  readonly line: number | undefined;

  constructor(problem: Wording, kind: DocumentFaultKind = 'content', line?: number) {
    super(line === undefined ? problem : worded`${{ problem }} in line ${{ line: String(line) }}`);
    this.kind = kind;
    this.line = line;
  }
}

/** The position of a value: names of members, and the indexes of elements in the lists that were descended into. */
export type DocumentPath = readonly (string | number)[];

export interface DocumentHandler {
  /**
   * Decides how to handle the value that begins at this path: `descend` asks again for each member or element, `elements` yields
   * those of a list one by one, `element` yields the value itself.
   */
  enter(path: DocumentPath, kind: 'object' | 'list' | 'scalar'): 'descend' | 'elements' | 'element' | 'skip';
  /** `name`: the member that it is, if it is one. */
  element(text: string, seen: SeenJson, name: string | undefined): void;
  /** True takes one document after another, as JSON Lines have them. */
  readonly takesMany?: boolean;
}

type State =
  | 'value'
  | 'first-key'
  | 'key'
  | 'colon'
  | 'after'
  | 'first-element'
  | 'element'
  | 'after-element'
  | 'first-item'
  | 'item'
  | 'after-item'
  | 'done';

/** Spellings by Python and JavaScript of values that JSON does not have; string literals are skipped. */
const OF_OTHERS = /"(?:[^"\\]|\\[\s\S])*"|(-?\b(?:NaN|Infinity|nan|inf|undefined|None|True|False)\b)/g;

const SCALAR: SeenJson = { inexact: false, members: 0 };

/** Characters of one record or one member name. */
const MAX_VALUE_LENGTH = 16 * 1024 * 1024;

/**
 * Walks a JSON document that comes in chunks and holds one element of its list at a time. Finding where an element ends
 * and leaving the rest to `JSON.parse` takes 100,000 records of 20 members a fifth of the time of a streaming parser
 * (stream-json 3: 2.0 s), and keeps members called `__proto__`.
 */
export class DocumentScanner {
  readonly #handler: DocumentHandler;
  readonly #tokens = new JsonTokens();
  readonly #path: (string | number)[] = [];
  #state: State = 'value';
  /** The kind of container that is being skipped and has not ended yet: an element, or one that is not needed. */
  #passed: 'element' | 'skipped' | undefined;
  #line = 1;

  constructor(handler: DocumentHandler) {
    this.#handler = handler;
  }

  push(chunk: string): void {
    this.#tokens.append(chunk);
    this.#walk();
    // Skipped containers are let go of as they pass; scalars are small and get checked.
    const kept = this.#passed === 'skipped' ? this.#tokens.scanned : this.#tokens.start;
    this.#countLines(kept);
    this.#tokens.forget(kept);
    if (this.#tokens.text.length > MAX_VALUE_LENGTH)
      throw this.#fault(worded`contains a value of more than 16 million characters`);
  }

  /** Throws when the document is not complete. */
  end(): void {
    this.#tokens.complete();
    this.#walk();
    const { text, start } = this.#tokens;
    const isLeft = this.#passed !== undefined || start < text.length;
    if (this.#state === 'done' && this.#passed === undefined) {
      if (isLeft) throw this.#second();
    } else if (this.#state === 'value' && this.#path.length === 0 && !isLeft) {
      throw this.#fault(worded`contains no JSON`);
    } else throw new DocumentFault(worded`is truncated: the JSON document ends unexpectedly`, 'cut', this.#line);
  }

  /** Takes what is there, token by token. */
  #walk(): void {
    const tokens = this.#tokens;
    for (;;) {
      if (this.#passed !== undefined) {
        if (!tokens.passContainer()) return;
        const passed = this.#passed;
        this.#passed = undefined;
        if (passed === 'element') this.#handler.element(tokens.token, tokens, this.#member());
      }
      const mark = tokens.next();
      if (mark === MARK.none) return;
      this.#take(mark);
    }
  }

  #take(mark: number): void {
    switch (this.#state) {
      case 'value':
        if (isNoValue(mark)) throw this.#unexpected(worded`a value`);
        this.#enter(mark);
        break;
      case 'first-key':
      case 'key':
        if (mark === MARK.closeObject && this.#state === 'first-key') this.#leave();
        else if (mark !== MARK.text) throw this.#unexpected(worded`a member name in quotes`);
        else {
          this.#path.push(String(this.#parse()));
          this.#state = 'colon';
        }
        break;
      case 'colon':
        if (mark !== MARK.colon) throw this.#unexpected(worded`":"`);
        this.#state = 'value';
        break;
      case 'after':
        this.#path.pop();
        if (mark === MARK.closeObject) this.#leave();
        else if (mark !== MARK.comma) throw this.#unexpected(worded`"," or "}"`);
        else this.#state = 'key';
        break;
      case 'first-element':
      case 'element':
        if (mark === MARK.closeList && this.#state === 'first-element') this.#leave();
        else if (isNoValue(mark)) throw this.#unexpected(worded`a record`);
        else {
          this.#state = 'after-element';
          if (isOpening(mark)) this.#passed = 'element';
          else this.#handler.element(this.#tokens.token, SCALAR, undefined);
        }
        break;
      case 'after-element':
        if (mark === MARK.closeList) this.#leave();
        else if (mark !== MARK.comma) throw this.#unexpected(worded`"," or "]"`);
        else this.#state = 'element';
        break;
      // As elements, of a list that was descended into.
      case 'first-item':
        if (mark === MARK.closeList) this.#leave();
        else this.#enterItem(0, mark);
        break;
      case 'item':
        this.#enterItem(Number(this.#path.pop()) + 1, mark);
        break;
      case 'after-item':
        if (mark === MARK.comma) this.#state = 'item';
        else if (mark !== MARK.closeList) throw this.#unexpected(worded`"," or "]"`);
        else {
          this.#path.pop();
          this.#leave();
        }
        break;
      case 'done':
        if (this.#handler.takesMany !== true) throw this.#second();
        this.#state = 'value';
        this.#take(mark);
    }
  }

  #enterItem(index: number, mark: number): void {
    if (isNoValue(mark)) throw this.#unexpected(worded`a value`);
    this.#path.push(index);
    this.#enter(mark);
  }

  #enter(mark: number): void {
    const kind = mark === MARK.openObject ? 'object' : mark === MARK.openList ? 'list' : 'scalar';
    const action = this.#handler.enter(this.#path, kind);
    if (action === 'descend' && kind === 'object') this.#state = 'first-key';
    else if (action === 'descend' && kind === 'list') this.#state = 'first-item';
    else if (action === 'elements' && kind === 'list') this.#state = 'first-element';
    else {
      if (kind !== 'scalar') this.#passed = action === 'element' ? 'element' : 'skipped';
      else if (action === 'element') this.#handler.element(this.#tokens.token, SCALAR, this.#lastName());
      else this.#parse();
      this.#leave();
    }
  }

  /** Called after the end of a value: continues with its parent. */
  #leave(): void {
    const last = this.#path.at(-1);
    this.#state = last === undefined ? 'done' : typeof last === 'string' ? 'after' : 'after-item';
  }

  /** The name of the value that just ended; the elements of a list have none. */
  #member(): string | undefined {
    return this.#state === 'after' ? this.#lastName() : undefined;
  }

  #lastName(): string | undefined {
    const last = this.#path.at(-1);
    return typeof last === 'string' ? last : undefined;
  }

  #parse(): unknown {
    try {
      return JSON.parse(this.#tokens.token);
    } catch {
      throw this.#fault(worded`is not valid JSON`);
    }
  }

  #unexpected(expected: Wording): DocumentFault {
    const found = this.#tokens.text.charAt(this.#tokens.start);
    // Marks of JSON say where it is; anything else is content, and errors go into logs.
    return this.#fault(
      /[[\]{},:]/.test(found)
        ? worded`is not valid JSON: ${{ expected }} is missing before "${{ found }}"`
        : worded`is not valid JSON: ${{ expected }} is missing`,
    );
  }

  #second(): DocumentFault {
    return this.#fault(worded`contains more than one JSON document`, 'second');
  }

  #fault(problem: Wording, kind?: DocumentFaultKind): DocumentFault {
    this.#countLines(this.#tokens.start);
    return new DocumentFault(problem, kind, this.#line);
  }

  /** The value of the element that is being given. What the parser says is left out: it quotes the text around the fault. */
  value(text: string, seen: SeenJson, where: string | Wording): JsonValue {
    try {
      return parseExact(text, seen) as JsonValue;
    } catch {
      const found = [...text.matchAll(OF_OTHERS)].find(([, word]) => word !== undefined);
      if (found === undefined) throw new DocumentFault(worded`is not valid JSON in ${{ where }}`);
      const line = this.#line + this.#tokens.text.slice(0, this.#tokens.start + found.index).split('\n').length - 1;
      throw new DocumentFault(
        worded`is not valid JSON: it has ${{ word: found[0] }}, which is not a JSON value (null is one),`,
        'content',
        line,
      );
    }
  }

  #countLines(to: number): void {
    const { text } = this.#tokens;
    for (let at = text.indexOf('\n'); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) this.#line++;
  }
}

function isOpening(mark: number): boolean {
  return mark === MARK.openObject || mark === MARK.openList;
}

function isNoValue(mark: number): boolean {
  return mark === MARK.comma || mark === MARK.colon || mark === MARK.closeObject || mark === MARK.closeList;
}
