const EQUALS = 0x3d;
const BLANK = 0x20;
const TAB = 0x09;
const CARRIAGE_RETURN = 0x0d;

/** A row as the file has it. */
export interface CsvRow {
  readonly cells: readonly string[];
  /** The line it begins in, counted from 1. */
  readonly line: number;
}

/** How a file separates and quotes its values. */
export interface CsvNotation {
  readonly delimiter: string;
  /** Absent: values are never quoted. */
  readonly quote?: string | undefined;
  /** A quote within quotes is written with a backslash in front, as MySQL does, and not twice. */
  readonly backslash?: boolean;
}

/**
 * Splits text into rows, chunk by chunk (RFC 4180). Lines end with LF or CRLF, mixed as may be. A quote opens a value only
 * where a value begins, so `19" rack` is plain text; text between a closing quote and the next delimiter belongs to the
 * value, as Python's reader has it.
 *
 * By hand, because it decides the speed of every import: 100,000 rows of 21 values take csv-parse 7 760–890 ms and this
 * 130 ms, where storing them takes 650 to 1,100. csv-parse checks it in the tests.
 */
export class CsvTokenizer {
  readonly #delimiter: string;
  readonly #quote: string;
  readonly #backslash: boolean;
  readonly #maxRowLength: number;
  #rest = '';
  #line = 1;

  constructor({ delimiter, quote = '', backslash = false }: CsvNotation, maxRowLength: number, line = 1) {
    this.#delimiter = delimiter;
    this.#quote = quote;
    this.#backslash = backslash;
    this.#line = line;
    this.#maxRowLength = maxRowLength;
  }

  /** The line that the next row begins in. */
  get line(): number {
    return this.#line;
  }

  /** True if a row longer than allowed has begun: most likely a quote is not closed. */
  get overflows(): boolean {
    return this.#rest.length > this.#maxRowLength;
  }

  /** Rows that are complete with this chunk. */
  push(chunk: string): CsvRow[] {
    const rows: CsvRow[] = [];
    const text = this.#rest + chunk;
    let from = 0;
    const sign = this.#quote;
    let quote = sign === '' ? -1 : text.indexOf(sign);
    for (;;) {
      const lineEnd = text.indexOf('\n', from);
      if (quote !== -1 && quote < from) quote = text.indexOf(sign, from);
      if (quote === -1 || (lineEnd !== -1 && quote > lineEnd)) {
        if (lineEnd === -1) break;
        rows.push({
          cells: text.slice(from, this.#endOfText(text, from, lineEnd)).split(this.#delimiter),
          line: this.#line++,
        });
        from = lineEnd + 1;
      } else {
        const next = this.#quotedRow(text, from, lineEnd, rows);
        if (next === -1) break;
        from = next;
      }
    }
    this.#rest = text.slice(from);
    return rows;
  }

  /** The last row when the text does not end with a line end. `'open'` when a quote was never closed. */
  end(): CsvRow | 'open' | undefined {
    if (this.#rest === '') return undefined;
    const [row] = this.push('\n');
    return row ?? 'open';
  }

  /** Reads a row with quotes in it. Answers where the next one begins, -1 when this one is not complete. */
  #quotedRow(text: string, from: number, firstLineEnd: number, rows: CsvRow[]): number {
    const cells: string[] = [];
    let at = from;
    let lineEnd = firstLineEnd;
    for (;;) {
      let value = '';
      const opening = this.#openingQuote(text, at);
      if (opening !== -1) {
        const close = this.#closingQuote(text, opening + 1);
        if (close === -1) return -1;
        value = this.#unescaped(text.slice(opening + 1, close));
        at = close + 1;
        if (lineEnd !== -1 && lineEnd < at) lineEnd = text.indexOf('\n', at);
      }
      if (lineEnd === -1) return -1;
      const delimiter = text.indexOf(this.#delimiter, at);
      if (delimiter === -1 || delimiter > lineEnd) {
        cells.push(value + text.slice(at, this.#endOfText(text, at, lineEnd)));
        rows.push({ cells, line: this.#line });
        this.#line += countLines(text, from, lineEnd);
        return lineEnd + 1;
      }
      cells.push(value + text.slice(at, delimiter));
      at = delimiter + this.#delimiter.length;
    }
  }

  /**
   * Returns the position of a value's opening quote: at its beginning, after spaces, or after the equals sign that makes
   * spreadsheets read a value as text.
   */
  #openingQuote(text: string, from: number): number {
    const quote = this.#quote.charCodeAt(0);
    let at = from;
    while (isBlankSign(text.charCodeAt(at)) && text[at] !== this.#delimiter) at++;
    if (text.charCodeAt(at) === EQUALS && text.charCodeAt(at + 1) === quote) at++;
    return text.charCodeAt(at) === quote ? at : -1;
  }

  /** The quote that ends a value; escaped ones stand for themselves. -1 when it is not there, or could be escaped yet. */
  #closingQuote(text: string, from: number): number {
    const quote = this.#quote;
    for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 1)) {
      if (this.#backslash) {
        let signs = 0;
        while (at - signs > from && text[at - signs - 1] === '\\') signs++;
        if (signs % 2 === 0) return at;
      } else {
        if (at + 1 >= text.length) return -1;
        if (text[at + 1] !== quote) return at;
        at++;
      }
    }
    return -1;
  }

  #unescaped(text: string): string {
    return this.#backslash ? text.replaceAll(/\\([\s\S])/g, '$1') : text.replaceAll(this.#quote.repeat(2), this.#quote);
  }

  #endOfText(text: string, from: number, lineEnd: number): number {
    return lineEnd > from && text.charCodeAt(lineEnd - 1) === CARRIAGE_RETURN ? lineEnd - 1 : lineEnd;
  }
}

function isBlankSign(code: number): boolean {
  return code === BLANK || code === TAB;
}

function countLines(text: string, from: number, to: number): number {
  let lines = 1;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
