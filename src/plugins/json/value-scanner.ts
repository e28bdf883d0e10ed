const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const COMMA = 0x2c;

/**
 * Finds the end of one JSON value in text that comes in chunks. It looks at strings and brackets only; whoever wants the
 * value parses it, which finds everything else that is wrong with it.
 */
export class ValueScanner {
  #depth = 0;
  #inText = false;
  #kind: 'container' | 'text' | 'bare' | undefined;

  reset(): void {
    this.#depth = 0;
    this.#inText = false;
    this.#kind = undefined;
  }

  /** Goes on at `from`; the value must begin there on the first call. Answers where the value ends, -1 for not yet. */
  scan(text: string, from: number): { readonly end: number; readonly next: number } {
    this.#kind ??= kindOf(text.charCodeAt(from));
    return this.#kind === 'bare' ? bareEnd(text, from) : this.#bracketedEnd(text, from);
  }

  #bracketedEnd(text: string, from: number): { readonly end: number; readonly next: number } {
    let at = from;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#inText) {
        if (code === BACKSLASH) at++;
        else if (code === QUOTE) {
          this.#inText = false;
          if (this.#depth === 0) return { end: at + 1, next: at + 1 };
        }
      } else if (code === QUOTE) this.#inText = true;
      else if (code === OPEN_OBJECT || code === OPEN_LIST) this.#depth++;
      else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
        this.#depth--;
        if (this.#depth === 0) return { end: at + 1, next: at + 1 };
      }
    }
    // A backslash at the very end takes the first character of the next chunk with it: `next` is behind the text then.
    return { end: -1, next: at };
  }
}

function kindOf(code: number): 'container' | 'text' | 'bare' {
  if (code === OPEN_OBJECT || code === OPEN_LIST) return 'container';
  return code === QUOTE ? 'text' : 'bare';
}

/** Numbers and words end where a delimiter or white space stands. */
function bareEnd(text: string, from: number): { readonly end: number; readonly next: number } {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === COMMA || code === CLOSE_LIST || code === CLOSE_OBJECT || code <= 0x20) return { end: at, next: at };
  }
  return { end: -1, next: text.length };
}
