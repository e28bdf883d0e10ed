import { SaxesParser } from 'saxes';
import { fileFault, shown, shownNames } from '../../kit/file-source/fault.ts';
import { worded } from '../../kit/worded.ts';
import type { AppError } from '../../ports/index.ts';
import type { CsvOptions } from './options.ts';
import { ZipArchive } from './zip.ts';

const MOST_ROWS = 1_048_576;
const MOST_COLUMNS = 16_384;
const MOST_TEXTS = 4_000_000;
const CHUNK = 64 * 1024;

/** A row of a sheet: only its cells that hold something. */
export interface SheetRow {
  readonly line: number;
  readonly cells: ReadonlyMap<number, string>;
}

type Attributes = Readonly<Record<string, string>>;

interface Elements {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** The rows of a sheet in batches. Values are those that the workbook holds: formulas are never computed. */
export async function* sheetRows(
  bytes: Buffer,
  options: Pick<CsvOptions, 'path' | 'sheet' | 'number_format'>,
  signal: AbortSignal,
): AsyncGenerator<readonly SheetRow[], void, undefined> {
  const book = new Workbook(options.path, bytes, signal);
  const { sheet, isFrom1904 } = await book.sheet(options.sheet);
  const cells = new SheetReader(options, {
    isFrom1904,
    texts: await book.texts(),
    formats: await book.formats(),
  });
  for await (const _ of book.read(sheet, cells)) yield cells.taken();
}

class Workbook {
  readonly #path: string;
  readonly #archive: ZipArchive;
  readonly #signal: AbortSignal;
  #parts: ReadonlyMap<string, Attributes> = new Map();

  constructor(path: string, bytes: Buffer, signal: AbortSignal) {
    this.#path = path;
    this.#signal = signal;
    this.#archive = new ZipArchive(path, bytes);
  }

  /** The part that holds the sheet that is asked for. */
  async sheet(wanted: string | undefined): Promise<{ sheet: string; isFrom1904: boolean }> {
    const roots = await this.#relations('');
    const main = [...roots.values()].find((relation) => relation['Type']?.endsWith('/officeDocument'))?.['Target'];
    if (main === undefined || !/\.xml$/.test(main)) {
      throw fileFault(this.#path, worded`is a ZIP archive and no workbook (.xlsx); save it as .xlsx or CSV`);
    }
    this.#parts = await this.#relations(main);
    const sheets: { name: string; part: string }[] = [];
    let isFrom1904 = false;
    const open = (name: string, attributes: Attributes): void => {
      if (name === 'workbookPr') isFrom1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '');
      if (name !== 'sheet') return;
      const relation = this.#parts.get(attributes['id'] ?? '');
      if (relation?.['Type']?.endsWith('/worksheet') === true)
        sheets.push({ name: attributes['name'] ?? '', part: relation['Target'] ?? '' });
    };
    await this.#readAll(main, { open });
    const number = /^\d+$/.test(wanted ?? '1') ? Number(wanted ?? '1') : 0;
    const found = sheets.find(({ name }) => name === wanted) ?? sheets[number - 1];
    if (found !== undefined) return { sheet: found.part, isFrom1904 };
    const names = shownNames(sheets.map(({ name }) => name));
    const problem = worded`has no sheet ${{ sheet: shown(wanted ?? '1') }}`;
    throw fileFault(this.#path, names === undefined ? problem : worded`${{ problem }}; its sheets: ${{ names }}`);
  }

  /** Texts that cells name by number. */
  async texts(): Promise<readonly string[]> {
    const texts: string[] = [];
    const part = this.#partOf('/sharedStrings');
    if (part === undefined) return texts;
    const text = new TextReader();
    const open = (name: string): void => {
      if (name === 'si') text.begin();
      text.open(name);
    };
    const close = (name: string): void => {
      text.close(name);
      if (name === 'si' && texts.push(text.value()) > MOST_TEXTS)
        throw fileFault(this.#path, worded`has more than 4 million texts`);
    };
    await this.#readAll(part, { open, close, text: (piece) => text.add(piece) });
    return texts;
  }

  /** How the styles of cells show numbers. */
  async formats(): Promise<readonly CellFormat[]> {
    const own = new Map<string, string>();
    const formats: CellFormat[] = [];
    const part = this.#partOf('/styles');
    if (part === undefined) return formats;
    let inCells = false;
    const open = (name: string, attributes: Attributes): void => {
      if (name === 'numFmt') own.set(attributes['numFmtId'] ?? '', attributes['formatCode'] ?? '');
      if (name === 'cellXfs') inCells = true;
      const id = attributes['numFmtId'] ?? '0';
      if (name === 'xf' && inCells) formats.push(formatOf(Number(id), own.get(id)));
    };
    const close = (name: string): void => {
      if (name === 'cellXfs') inCells = false;
    };
    await this.#readAll(part, { open, close });
    return formats;
  }

  /** Reads a part of XML, chunk by chunk. Entities of its own are refused: they are made to fill memory. */
  async *read(part: string, elements: Elements): AsyncGenerator<void, void, undefined> {
    const bytes = await this.#archive.part(part);
    if (bytes === undefined) throw this.#damaged(part);
    const parser = new SaxesParser();
    const damaged = (): never => {
      throw this.#damaged(part);
    };
    parser.on('error', damaged);
    parser.on('doctype', damaged);
    parser.on('opentag', ({ name, attributes }) => elements.open?.(localName(name), localNames(attributes)));
    parser.on('text', (text) => elements.text?.(text));
    parser.on('cdata', (text) => elements.text?.(text));
    parser.on('closetag', ({ name }) => elements.close?.(localName(name)));
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const decoded = (chunk?: Uint8Array): string => {
      try {
        return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
      } catch {
        return damaged();
      }
    };
    for (let at = 0; at < bytes.length; at += CHUNK) {
      this.#signal.throwIfAborted();
      parser.write(decoded(bytes.subarray(at, at + CHUNK)));
      yield;
    }
    parser.write(decoded());
    parser.close();
    yield;
  }

  async #readAll(part: string, elements: Elements): Promise<void> {
    for await (const _ of this.read(part, elements));
  }

  #partOf(type: string): string | undefined {
    return [...this.#parts.values()].find((relation) => relation['Type']?.endsWith(type))?.['Target'];
  }

  /** Returns the relations of a part by id, with targets as names in the archive. */
  async #relations(part: string): Promise<ReadonlyMap<string, Attributes>> {
    const found = new Map<string, Attributes>();
    const folder = part.slice(0, part.lastIndexOf('/') + 1);
    const name = `${folder}_rels/${part.slice(folder.length)}.rels`;
    if (!this.#archive.has(name)) return found;
    const open = (element: string, attributes: Attributes): void => {
      if (element !== 'Relationship') return;
      const target = new URL(attributes['Target'] ?? '', `part:/${folder}`).pathname.slice(1);
      found.set(attributes['Id'] ?? '', { ...attributes, Target: decodeURIComponent(target) });
    };
    await this.#readAll(name, { open });
    return found;
  }

  #damaged(part: string): AppError {
    return fileFault(this.#path, worded`is a damaged workbook: its part ${{ part: shown(part) }} cannot be read`);
  }
}

/** A text with its parts of several fonts, without hints on how it is spoken. */
class TextReader {
  #text = '';
  #isText = false;
  #isSpoken = false;

  begin(): void {
    this.#text = '';
  }

  open(name: string): void {
    if (name === 'rPh') this.#isSpoken = true;
    if (name === 't') this.#isText = !this.#isSpoken;
  }

  add(piece: string): void {
    if (this.#isText) this.#text += piece;
  }

  close(name: string): void {
    if (name === 'rPh') this.#isSpoken = false;
    if (name === 't') this.#isText = false;
  }

  value(): string {
    return unescaped(this.#text);
  }
}

interface SheetParts {
  readonly texts: readonly string[];
  readonly formats: readonly CellFormat[];
  readonly isFrom1904: boolean;
}

class SheetReader implements Elements {
  readonly #options: Pick<CsvOptions, 'path' | 'number_format'>;
  readonly #parts: SheetParts;
  readonly #inline = new TextReader();
  #rows: SheetRow[] = [];
  #cells = new Map<number, string>();
  #line = 0;
  #column = -1;
  #cell: Attributes = {};
  #value: string | undefined;
  #isValue = false;
  #isFormula = false;

  constructor(options: Pick<CsvOptions, 'path' | 'number_format'>, parts: SheetParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** The rows since the last call. */
  taken(): readonly SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'row') this.#openRow(attributes);
    else if (name === 'c') this.#openCell(attributes);
    else if (name === 'v') this.#isValue = true;
    else if (name === 'f') this.#isFormula = true;
    else this.#inline.open(name);
  }

  text(text: string): void {
    if (this.#isValue) this.#value = (this.#value ?? '') + text;
    else this.#inline.add(text);
  }

  close(name: string): void {
    if (name === 'v') this.#isValue = false;
    else if (name === 'c') this.#closeCell();
    else if (name === 'row') {
      if (this.#cells.size > 0) this.#rows.push({ line: this.#line, cells: this.#cells });
    } else this.#inline.close(name);
  }

  #openRow({ r }: Attributes): void {
    this.#line = r === undefined ? this.#line + 1 : Number(r);
    this.#column = -1;
    this.#cells = new Map();
    if (!(this.#line <= MOST_ROWS)) throw fileFault(this.#options.path, worded`has more than 1,048,576 rows`);
  }

  #openCell(attributes: Attributes): void {
    this.#cell = attributes;
    this.#value = undefined;
    this.#isFormula = false;
    this.#inline.begin();
    this.#column = columnOf(attributes['r']) ?? this.#column + 1;
    if (this.#column >= MOST_COLUMNS) throw fileFault(this.#options.path, worded`has more than 16,384 columns`);
  }

  #closeCell(): void {
    const text = this.#textOf(this.#value ?? '', this.#cell['t'] ?? 'n');
    if (text !== '') this.#cells.set(this.#column, text);
  }

  #textOf(value: string, type: string): string {
    if (type === 'inlineStr') return this.#inline.value();
    if (type === 'str') return unescaped(value);
    if (value === '') {
      if (this.#isFormula)
        throw fileFault(
          this.#options.path,
          worded`has a formula without a value in line ${{ line: String(this.#line) }}; open it in a spreadsheet program and save it`,
        );
      return '';
    }
    if (type === 's') {
      const text = this.#parts.texts[Number(value)];
      if (text === undefined)
        throw fileFault(
          this.#options.path,
          worded`is a damaged workbook: a text of line ${{ line: String(this.#line) }} is missing`,
        );
      return text;
    }
    if (type === 'b') return value === '1' || value === 'true' ? 'TRUE' : 'FALSE';
    if (type !== 'n') return value;
    const text = numberText(
      value,
      this.#parts.formats[Number(this.#cell['s'] ?? 0)] ?? 'number',
      this.#parts.isFrom1904,
    );
    return this.#options.number_format === '1.234,56' && /^-?\d+\.\d+$/.test(text) ? text.replace('.', ',') : text;
  }
}

/** `C7` is in the column 2. */
function columnOf(place: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,7}/.exec(place ?? '')?.[0];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** Signs that XML cannot hold are written as `_x000D_`. */
function unescaped(text: string): string {
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function localNames(attributes: Attributes): Attributes {
  const named: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) named[localName(name)] = value;
  return named;
}

/** How a cell shows its number. */
type CellFormat = 'number' | 'date' | 'time' | 'moment' | 'span';

const DAY = 86_400_000;

/** Returns what a number format shows: a built-in format by its number, or one defined in the workbook. */
function formatOf(id: number, code: string | undefined): CellFormat {
  if (code === undefined) {
    if (id === 22) return 'moment';
    if ((id >= 18 && id <= 21) || id === 45 || id === 47) return 'time';
    if (id === 46) return 'span';
    return (id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? 'date' : 'number';
  }
  const [first = ''] = code.replaceAll(/"[^"]*"|\\.|_.|\*./g, '').split(';');
  if (/\[[hms]+\]/i.test(first)) return 'span';
  const signs = first.replaceAll(/\[[^\]]*\]/g, '').replaceAll(/general/gi, '');
  const [hasDay, hasTime] = [/[yd]/i.test(signs) || /mmm/i.test(signs), /[hs]/i.test(signs)];
  if (hasDay) return hasTime ? 'moment' : 'date';
  if (hasTime) return 'time';
  return /m/i.test(signs) ? 'date' : 'number';
}

/** A number of a workbook as a text: as many digits as spreadsheets show, and days since 1900 or 1904 as dates. */
function numberText(written: string, format: CellFormat, isFrom1904: boolean): string {
  const number = Number(written);
  if (!Number.isFinite(number)) return written;
  // Other programs than Excel write all digits of a number, and two serial numbers may differ in the last.
  const plain = /^-?\d{16,}$/.test(written) ? written : String(Number(number.toPrecision(15)));
  if (format === 'number' || number < 0 || number >= 2_958_466) return plain;
  const seconds = Math.round(number * 86_400);
  const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (format === 'span') return clock(time);
  if (format === 'time' || (format === 'moment' && number < 1)) return clock([(time[0] ?? 0) % 24, ...time.slice(1)]);
  // Spreadsheets have a 29th of February 1900, which never was.
  const days = isFrom1904 ? Math.floor(number) + 1462 : Math.floor(number) + (number < 60 ? 1 : 0);
  const date = new Date(
    Date.UTC(1899, 11, 30) + (format === 'date' ? days * DAY : (days - Math.floor(number)) * DAY + seconds * 1000),
  ).toISOString();
  return format === 'date' ? date.slice(0, 10) : date.slice(0, 19);
}

function clock(parts: readonly number[]): string {
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
