import { isExactNumber } from './exact-number.ts';

/** Kinds of tokens: the character code of the mark that the token is or begins with. */
export const MARK = {
  /** No more text, or not all of a token yet. */
  none: -1,
  /** A number or a word. */
  bare: 0,
  text: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openList: 0x5b,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

const BACKSLASH = 0x5c;
const MINUS = 0x2d;

/** From this length on a number may have digits that a double does not hold. */
const LONG_NUMBER = 16;

/**
 * The one scanner of JSON text: finds its tokens, in a text that is there or comes in chunks. It looks at no more than it needs
 * to find where something ends; who wants a value parses it, which finds everything else that is wrong with it.
 */
export class JsonTokens {
  #text: string;
  #isWhole: boolean;
  /** Start of the last token or container, and the index after its end. */
  start = 0;
  end = 0;
  /** In the last container that was skipped: number of members that its objects have together, including repeated names, */
  members = 0;
  /** maximum nesting depth of its objects and lists, */
  deepest = 0;
  /** and whether it contains a number that a double would change. */
  inexact = false;
  /** Containers that are open in one whose end has not come yet. */
  #depth = 0;
  /** Index from which to search for the end of an incomplete string; -1 if there is none. */
  #openText = -1;

  /** Without a text it comes in chunks. */
  constructor(text?: string) {
    this.#text = text ?? '';
    this.#isWhole = text !== undefined;
  }

  get text(): string {
    return this.#text;
  }

  /** The last token. */
  get token(): string {
    return this.#text.slice(this.start, this.end);
  }

  /** The value of the last token, which must be a string of valid JSON. */
  get meaning(): string {
    const inner = this.#text.slice(this.start + 1, this.end - 1);
    return inner.includes('\\') ? (JSON.parse(this.token) as string) : inner;
  }

  /** Up to where the text was looked at. */
  get scanned(): number {
    return this.#openText === -1 ? this.end : this.#openText;
  }

  append(chunk: string): void {
    this.#text += chunk;
  }

  /** No more text comes: a number or word at the end is complete. */
  complete(): void {
    this.#isWhole = true;
  }

  /** Forgets the text before an index that was scanned. */
  forget(before: number): void {
    this.#text = this.#text.slice(before);
    this.start = Math.max(0, this.start - before);
    this.end = Math.max(0, this.end - before);
    if (this.#openText !== -1) this.#openText -= before;
  }

  /** Reads the next token. After `none`, scanning resumes at the same point once more text is available. */
  next(): number {
    if (this.#openText !== -1) return this.#textEnd(this.#openText) ? MARK.text : MARK.none;
    const text = this.#text;
    let at = this.end;
    let code = text.charCodeAt(at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++at);
    this.start = at;
    if (at >= text.length) {
      this.end = at;
      return MARK.none;
    }
    if (code === MARK.text) return this.#textEnd(at + 1) ? MARK.text : MARK.none;
    if (!isMark(code)) return this.#bareEnd(at) ? MARK.bare : MARK.none;
    this.end = at + 1;
    return code;
  }

  /**
   * Skips to the end of the container that the last token opened; returns false while the end is not available. A single pass,
   * faster than parsing, also collects what `JSON.parse` does not report.
   */
  passContainer(): boolean {
    const text = this.#text;
    let { end: at, members, deepest, inexact } = this;
    let depth = this.#depth;
    if (depth === 0) {
      depth = 1;
      members = 0;
      deepest = 1;
      inexact = false;
    }
    if (this.#openText !== -1) at = this.#textEnd(this.#openText) ? this.end : text.length;
    for (; at < text.length && depth > 0; at++) {
      const code = text.charCodeAt(at);
      if (code === MARK.text) {
        const close = text.indexOf('"', at + 1);
        if (close !== -1 && text.charCodeAt(close - 1) !== BACKSLASH) at = close;
        else if (this.#textEnd(at + 1)) at = this.end - 1;
        else break;
      } else if (code === MARK.colon) {
        members++;
      } else if (code === MARK.openObject || code === MARK.openList) {
        if (++depth > deepest) deepest = depth;
      } else if (code === MARK.closeObject || code === MARK.closeList) {
        depth--;
      } else if (code === MINUS || isDigit(code)) {
        const end = numberEnd(text, at);
        if (end === text.length && !this.#isWhole) break;
        inexact ||= isInexact(text, at, end);
        at = end - 1;
      }
    }
    this.end = at;
    this.members = members;
    this.deepest = deepest;
    this.inexact = inexact;
    this.#depth = depth;
    return depth === 0;
  }

  /** Looks for the closing quote of a text, whose content is known up to `from`. */
  #textEnd(from: number): boolean {
    const text = this.#text;
    let at = text.indexOf('"', from);
    while (at !== -1 && isEscaped(text, at, from)) at = text.indexOf('"', at + 1);
    if (at === -1) {
      // A backslash at the very end may belong to a quote that comes.
      this.#openText = text.length - backslashesBefore(text, text.length, from);
      return false;
    }
    this.#openText = -1;
    this.end = at + 1;
    return true;
  }

  /** Numbers and words end before a delimiter or white space. */
  #bareEnd(from: number): boolean {
    const text = this.#text;
    let at = from + 1;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === MARK.comma || code === MARK.closeList || code === MARK.closeObject || code <= 0x20) break;
    }
    if (at === text.length && !this.#isWhole) return false;
    this.end = at;
    return true;
  }
}

/** Whether a double would change the number at this position; words are not numbers. */
export function isInexact(text: string, from: number, end: number): boolean {
  return mayBeInexact(text, from, end) && !isExactNumber(text.slice(from, end));
}

function mayBeInexact(text: string, from: number, end: number): boolean {
  if (end - from >= LONG_NUMBER) return true;
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x65 || code === 0x45) return true;
  }
  return false;
}

function isEscaped(text: string, at: number, from: number): boolean {
  return text.charCodeAt(at - 1) === BACKSLASH && backslashesBefore(text, at, from) % 2 === 1;
}

/** Returns the number of backslashes immediately before `at`; anything before `from` does not count. */
function backslashesBefore(text: string, at: number, from: number): number {
  let first = at;
  while (first > from && text.charCodeAt(first - 1) === BACKSLASH) first--;
  return at - first;
}

function numberEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && isNumberPart(text.charCodeAt(at))) at++;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isNumberPart(code: number): boolean {
  return isDigit(code) || code === 0x2e || code === 0x65 || code === 0x45 || code === 0x2b || code === MINUS;
}

function isMark(code: number): boolean {
  return (
    code === MARK.comma ||
    code === MARK.colon ||
    code === MARK.openObject ||
    code === MARK.closeObject ||
    code === MARK.openList ||
    code === MARK.closeList
  );
}
