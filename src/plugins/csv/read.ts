import { type FileTurn, readEachFile } from '../../kit/file-source/each-file.ts';
import { fileFault } from '../../kit/file-source/fault.ts';
import { isZip } from '../../kit/file-source/foreign-format.ts';
import { readText } from '../../kit/file-source/read-text.ts';
import { RecordFilter } from '../../kit/records/record-filter.ts';
import { RecordKeys } from '../../kit/records/record-keys.ts';
import { phrase, worded } from '../../kit/worded.ts';
import type { ReadContext, SourceFiles, SourceItem } from '../../ports/index.ts';
import { findHeadingRow, findHeadings, type Headings, headingOf, readHeader } from './header.ts';
import { isBlank, isTotal, rowMapper } from './map.ts';
import type { CsvOptions } from './options.ts';
import { type CsvNotation, type CsvRow, CsvTokenizer } from './tokenizer.ts';
import { MOST_UNPACKED } from './zip.ts';

/** Characters of one row; more is a quote that was never closed. */
const MAX_ROW_LENGTH = 8 * 1024 * 1024;

/** Number of records per batch from a workbook. */
const BATCH = 500;

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
  const { workbook, text } = await opened({ ...options, path }, files, context);
  if (workbook !== undefined) {
    for await (const row of tableRows(workbook, { ...options, path }, context)) return columnNames(row.cells);
    return [];
  }
  for await (const piece of text) {
    head += piece;
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
  return columnNames(first?.cells ?? []);
}

function columnNames(cells: readonly string[]): readonly string[] {
  return [...new Set(cells.map(headingOf).filter((cell) => cell !== ''))];
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
  const { workbook, text } = await opened(options, files, context);
  if (workbook !== undefined) {
    let items: SourceItem[] = [];
    for await (const row of tableRows(workbook, options, context)) {
      items.push(...rows.mapRows([row]));
      if (items.length < BATCH) continue;
      yield items;
      items = [];
    }
    rows.endTable();
    yield items;
    return;
  }
  for await (const piece of text) {
    const items = rows.push(piece);
    if (items.length > 0) yield items;
  }
  yield rows.end();
}

/** A file by its first bytes: a whole workbook (.xlsx), or text in chunks. */
async function opened(
  options: CsvOptions,
  files: SourceFiles,
  context: ReadContext,
): Promise<{ workbook?: Buffer; text: AsyncIterable<string> }> {
  const chunks = files.read(options.path, context)[Symbol.asyncIterator]();
  const first = await chunks.next();
  const all = (async function* () {
    try {
      if (first.done !== true) yield first.value;
      for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
    } finally {
      await chunks.return?.();
    }
  })();
  const text = readText(options, { read: () => all }, context);
  if (first.done === true || !isZip(first.value)) return { text };
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of all) {
    size += part.length;
    if (size > MOST_UNPACKED) throw fileFault(options.path, worded`has more than 256 MiB`);
    parts.push(part);
  }
  return { workbook: Buffer.concat(parts), text };
}

/** Yields the rows of a workbook from its headings on, cut to the same width: cells beyond have no heading. */
async function* tableRows(
  workbook: Buffer,
  options: CsvOptions,
  { signal }: ReadContext,
): AsyncGenerator<CsvRow, void, undefined> {
  const { sheetRows } = await import('./workbook.ts');
  let head: CsvRow[] = [];
  let width: number | undefined;
  const begin = (isWhole: boolean): readonly CsvRow[] => {
    const at = findHeadingRow(head, isWhole, options);
    if (at === undefined) {
      if (options.header_line !== undefined) head = [];
      return [];
    }
    const rows = head.slice(at);
    width = rows[0]?.cells.length ?? 0;
    return rows.map(({ line, cells }) => ({ line, cells: cellsOfWidth(new Map(cells.entries()), width ?? 0) }));
  };
  for await (const batch of sheetRows(workbook, options, signal)) {
    for (const { line, cells } of batch) {
      if (width === undefined) {
        head.push({ line, cells: cellsOfWidth(cells, Math.max(...cells.keys()) + 1) });
        yield* begin(false);
      } else yield { line, cells: cellsOfWidth(cells, width) };
    }
  }
  if (width === undefined) yield* begin(true);
}

function cellsOfWidth(cells: ReadonlyMap<number, string>, width: number): string[] {
  return Array.from({ length: width }, (_, index) => cells.get(index) ?? '');
}

class RowReader {
  readonly #options: CsvOptions;
  readonly #filter: RecordFilter;
  #head = '';
  #tokenizer: CsvTokenizer | undefined;
  #map: ((row: CsvRow) => SourceItem | undefined) | undefined;
  #width = 0;
  /** The last row, if it is too short for a record. */
  #short: CsvRow | undefined;

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

  /**
   * Returns the remaining records if the file ends without a line end. A row that stops in the middle means that the file was cut
   * off.
   */
  end(): SourceItem[] {
    const headings = this.#tokenizer === undefined ? findHeadings(this.#head, true, this.#options) : undefined;
    const items = headings === undefined ? [] : this.#begin(headings);
    const { path } = this.#options;
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
    if (last !== undefined) items.push(...this.mapRows([last]));
    this.endTable();
    if (this.#short !== undefined) items.push(this.#cutOff(this.#short));
    return items;
  }

  /** Programs that stop end their last line, or write there why they stop. */
  #cutOff({ line: number, cells }: CsvRow): SourceItem {
    const [line, count, width] = [String(number), String(cells.length), String(this.#width)];
    return {
      kind: 'gap',
      what: phrase`what may follow the last row`,
      reason: worded`the last row, line ${{ line }}, has ${{ count }} of ${{ width }} values, as where the table was cut off; if that line is no record, set comment_sign to its beginning`,
    };
  }

  endTable(): void {
    const { path, hostname_field } = this.#options;
    if (this.#map === undefined)
      throw fileFault(path, worded`is empty: it has no header with a column "${{ column: hostname_field }}"`);
  }

  /** Lines before the headings are not records: titles, `sep=;`, and the type line of PowerShell. */
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
    const items = this.mapRows(tokenizer.push(chunk));
    if (!tokenizer.overflows) return items;
    throw fileFault(
      this.#options.path,
      worded`has a row of more than 8 MiB in line ${{ line: String(tokenizer.line) }}; is a quote not closed?`,
    );
  }

  mapRows(rows: readonly CsvRow[]): SourceItem[] {
    const items: SourceItem[] = [];
    for (const row of rows) {
      if (this.#map === undefined) this.#readHeader(row);
      else {
        const item = this.#map(row);
        if (item !== undefined) items.push(item);
        if (row.cells.length >= this.#width) this.#short = undefined;
        else if (item !== undefined) this.#short = isTotal(row.cells) ? undefined : row;
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
