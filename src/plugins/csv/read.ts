import { worded } from '../../app/kernel/worded.ts';
import type { ReadContext, SourceFiles, SourceItem } from '../../ports/index.ts';
import { type FileTurn, readEachFile } from '../shared/file-source/each-file.ts';
import { fileFault } from '../shared/file-source/fault.ts';
import { readText } from '../shared/file-source/read-text.ts';
import { RecordFilter } from '../shared/records/record-filter.ts';
import { RecordKeys } from '../shared/records/record-keys.ts';
import { guessDelimiter, readHeader } from './header.ts';
import { isBlank, rowMapper } from './map.ts';
import type { CsvOptions } from './options.ts';
import { type CsvRow, CsvTokenizer } from './tokenizer.ts';

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

/** A text that holds the headings, behind what says the delimiter. */
const HEADINGS = /^\s*(?:sep=.\r?\n\s*)?(?!sep=)\S[^\n]*\n/i;

/** The headings of the file, of several those of the first. */
export async function readColumns(
  options: CsvOptions,
  files: SourceFiles,
  context: ReadContext,
): Promise<readonly string[]> {
  const [path = options.path] = (await files.list(options.path)) ?? [];
  let head = '';
  for await (const text of readText({ ...options, path }, files, context)) {
    head += text;
    if (HEADINGS.test(head) || head.length > MAX_ROW_LENGTH) break;
  }
  const { hint, firstLine } = beginOf(head);
  const delimiter = options.delimiter ?? hint ?? guessDelimiter(firstLine, options.hostname_field);
  const tokenizer = new CsvTokenizer(delimiter, MAX_ROW_LENGTH);
  const rows = tokenizer.push(hint === undefined ? head : head.slice(head.indexOf('\n') + 1));
  const last = tokenizer.end();
  const first = [...rows, ...(last === undefined || last === 'open' ? [] : [last])].find(
    ({ cells }) => !isBlank(cells),
  );
  const cells = first?.cells ?? [];
  return [...new Set(cells.map((cell) => cell.trim()).filter((cell) => cell !== ''))];
}

/** What the file says of its delimiter, as spreadsheets do by `sep=;`, and its first line. */
function beginOf(head: string): { readonly hint: string | undefined; readonly firstLine: string } {
  const start = head.trimStart();
  const hint = /^sep=(.)\r?\n/i.exec(start)?.[1];
  return { hint, firstLine: start.slice(0, Math.max(0, start.indexOf('\n')) || start.length) };
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
    return /\S[^\n]*\n/.test(this.#head) || this.#head.length > MAX_ROW_LENGTH ? this.#begin() : [];
  }

  /** What is left, when the file ends without a line end. A row that stops in the middle means that the file was cut. */
  end(): SourceItem[] {
    const items = this.#tokenizer === undefined ? this.#begin() : [];
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

  /** The delimiter is known from the first line; `sep=;` is how spreadsheets name it. */
  #begin(): SourceItem[] {
    const { delimiter, hostname_field } = this.#options;
    const { hint, firstLine } = beginOf(this.#head);
    this.#refuseOldLineEnds(firstLine);
    this.#tokenizer = new CsvTokenizer(delimiter ?? hint ?? guessDelimiter(firstLine, hostname_field), MAX_ROW_LENGTH);
    const head = this.#head;
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

  #readHeader({ cells, line }: CsvRow): void {
    if (isBlank(cells) || (line === 1 && /^sep=.?$/i.test(cells.join('')))) return;
    const header = readHeader(cells, this.#options);
    this.#width = header.width;
    const keys = new RecordKeys(this.#options.key_fields);
    this.#map = rowMapper(header, this.#options, { filter: this.#filter, keys });
  }
}
