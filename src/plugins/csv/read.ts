import { worded } from '../../app/kernel/worded.ts';
import type { ReadContext, SourceFiles, SourceItem } from '../../ports/index.ts';
import { type FileTurn, readEachFile } from '../shared/file-source/each-file.ts';
import { fileFault } from '../shared/file-source/fault.ts';
import { readText } from '../shared/file-source/read-text.ts';
import { RecordFilter } from '../shared/records/record-filter.ts';
import { RecordKeys } from '../shared/records/record-keys.ts';
import { findHeadings, type Headings, plainCell, readHeader } from './header.ts';
import { isBlank, rowMapper } from './map.ts';
import type { CsvOptions } from './options.ts';
import { type CsvNotation, type CsvRow, CsvTokenizer } from './tokenizer.ts';

/** Characters of one row; more is a quote that was never closed. */
const MAX_ROW_LENGTH = 8 * 1024 * 1024;

/** Reads a CSV file, or several, in batches of records, a chunk of the file each. Memory does not depend on a file's size. */
export async function* readCsv(
  options: CsvOptions,
  files: SourceFiles,
  context: ReadContext,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const filter = await RecordFilter.of(options.record_filter);
  const read = (turn: FileTurn) => readFile({ ...options, path: turn.path }, filter, files, turn);
  yield* readEachFile({ path: options.path, namesHosts: false, read }, files, context);
  const leftOut = filter.leftOut();
  if (leftOut.length > 0) yield leftOut;
}

/** The headings of the file, of several those of the first. */
export async function readColumns(
  options: CsvOptions,
  files: SourceFiles,
  context: ReadContext,
): Promise<readonly string[]> {
  const [path = options.path] = (await files.list(options.path)) ?? [];
  let head = '';
  let found: Headings | undefined;
  for await (const text of readText({ ...options, path }, files, context)) {
    head += text;
    found = findHeadings(head, false, options);
    if (found !== undefined || head.length > MAX_ROW_LENGTH) break;
  }
  const headings = found ?? findHeadings(head, true, options);
  if (headings === undefined) return [];
  const tokenizer = new CsvTokenizer(notationOf(options, headings), MAX_ROW_LENGTH);
  const rows = tokenizer.push(behindLines(head, headings.line));
  const last = tokenizer.end();
  const first = [...rows, ...(last === undefined || last === 'open' ? [] : [last])].find(
    ({ cells }) => !isBlank(cells),
  );
  const cells = first?.cells ?? [];
  return [...new Set(cells.map((cell) => plainCell(cell).trim()).filter((cell) => cell !== ''))];
}

function notationOf({ quote, escape: written }: CsvOptions, { delimiter }: Headings): CsvNotation {
  return {
    delimiter,
    quote: quote === 'none' ? undefined : quote === 'single' ? "'" : '"',
    backslash: written === 'backslash',
  };
}

function behindLines(text: string, lines: number): string {
  let from = 0;
  for (let line = 0; line < lines; line++) {
    const end = text.indexOf('\n', from);
    if (end === -1) return '';
    from = end + 1;
  }
  return text.slice(from);
}

async function* readFile(
  options: CsvOptions,
  filter: RecordFilter,
  files: SourceFiles,
  { context }: FileTurn,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const rows = new RowReader(options, filter);
  for await (const text of readText(options, files, context)) {
    const items = rows.push(text);
    if (items.length > 0) yield items;
  }
  yield rows.end();
}

class RowReader {
  readonly #options: CsvOptions;
  readonly #filter: RecordFilter;
  #head = '';
  #tokenizer: CsvTokenizer | undefined;
  #map: ((row: CsvRow) => SourceItem | undefined) | undefined;
  #width = 0;

  constructor(options: CsvOptions, filter: RecordFilter) {
    this.#options = options;
    this.#filter = filter;
  }

  push(chunk: string): SourceItem[] {
    if (this.#tokenizer !== undefined) return this.#take(this.#tokenizer, chunk);
    this.#head += chunk;
    const found = findHeadings(this.#head, this.#head.length > MAX_ROW_LENGTH, this.#options);
    return found === undefined ? [] : this.#begin(found);
  }

  /** What is left, when the file ends without a line end. A row that stops in the middle means that the file was cut. */
  end(): SourceItem[] {
    const headings = this.#tokenizer === undefined ? findHeadings(this.#head, true, this.#options) : undefined;
    const items = headings === undefined ? [] : this.#begin(headings);
    const { path, hostname_field } = this.#options;
    const tokenizer = this.#tokenizer;
    const line = String(tokenizer?.line ?? 1);
    const last = tokenizer?.end();
    if (last === 'open')
      throw fileFault(path, worded`is truncated: a quoted value of the row in line ${{ line }} never ends`);
    if (last !== undefined && this.#map !== undefined && !isBlank(last.cells) && last.cells.length < this.#width) {
      const [count, width] = [String(last.cells.length), String(this.#width)];
      throw fileFault(
        path,
        worded`is truncated: the last row, line ${{ line }}, has ${{ count }} of ${{ width }} values`,
      );
    }
    if (last !== undefined) items.push(...this.#mapRows([last]));
    if (this.#map === undefined)
      throw fileFault(path, worded`is empty: it has no header with a column "${{ column: hostname_field }}"`);
    return items;
  }

  /** What stands before the headings is no record: titles, `sep=;`, and what PowerShell says of a type. */
  #begin(headings: Headings): SourceItem[] {
    const head = behindLines(this.#head, headings.line);
    this.#refuseOldLineEnds(head.slice(0, Math.max(0, head.indexOf('\n')) || head.length));
    this.#tokenizer = new CsvTokenizer(notationOf(this.#options, headings), MAX_ROW_LENGTH, headings.line + 1);
    this.#head = '';
    return this.#take(this.#tokenizer, head);
  }

  #refuseOldLineEnds(firstLine: string): void {
    if (!/\r[^\n]/.test(firstLine)) return;
    throw fileFault(this.#options.path, worded`ends its lines with CR alone; save it with LF or CRLF line ends`);
  }

  #take(tokenizer: CsvTokenizer, chunk: string): SourceItem[] {
    const items = this.#mapRows(tokenizer.push(chunk));
    if (!tokenizer.overflows) return items;
    throw fileFault(
      this.#options.path,
      worded`has a row of more than 8 MiB in line ${{ line: String(tokenizer.line) }}; is a quote not closed?`,
    );
  }

  #mapRows(rows: readonly CsvRow[]): SourceItem[] {
    const items: SourceItem[] = [];
    for (const row of rows) {
      if (this.#map === undefined) this.#readHeader(row);
      else {
        const item = this.#map(row);
        if (item !== undefined) items.push(item);
      }
    }
    return items;
  }

  #readHeader({ cells }: CsvRow): void {
    if (isBlank(cells)) return;
    const header = readHeader(cells, this.#options);
    this.#width = header.width;
    const keys = new RecordKeys(this.#options.key_fields);
    this.#map = rowMapper(header, this.#options, { filter: this.#filter, keys });
  }
}
