import { fileFault, shown, shownNames } from '../../kit/file-source/fault.ts';
import { readFilter } from '../../kit/records/filter-text.ts';
import { RecordKeys } from '../../kit/records/record-keys.ts';
import { nameFields } from '../../kit/records/record-name.ts';
import { worded } from '../../kit/worded.ts';
import type { Wording } from '../../ports/index.ts';
import type { CsvOptions } from './options.ts';
import type { CsvRow } from './tokenizer.ts';

const DELIMITERS = [',', ';', '\t', '|'];
const QUOTED = /"(?:[^"]|"")*"?/g;

/** Positions of values in a row. */
export interface Header {
  readonly width: number;
  /** The column titles; some tables repeat them on each page. */
  readonly headings: readonly string[];
  /** Whether there are spaces around delimiters. */
  readonly trims: boolean;
  /** Columns that may have the hostname, the first that is not empty counts. */
  readonly hostname: readonly number[];
  /** Columns that become labels: all with a heading but the hostname's; of several with the hostname these too. */
  readonly labels: readonly { readonly index: number; readonly key: string }[];
  /** Columns without a heading: a value there has no name that a label could take. */
  readonly nameless: readonly number[];
  /** Columns that `record_filter` asks about. */
  readonly filtered: readonly { readonly index: number; readonly key: string }[];
  /** Columns that `key_fields` names. */
  readonly keyed: readonly { readonly index: number; readonly key: string }[];
}

/**
 * The delimiter of a file by its first line: the one that yields the hostname's column, else the most frequent one.
 */
function guessDelimiter(firstLine: string, hostnameField: string): string {
  const list = nameFields(hostnameField);
  const wanted = new Set([hostnameField, ...list]);
  const bare = firstLine.replaceAll(QUOTED, (text) => (wanted.has(text.slice(1, -1)) ? text.slice(1, -1) : ''));
  const counts = DELIMITERS.map((delimiter) => {
    const columns = bare.split(delimiter).map((column) => column.trim());
    const isNamed = columns.includes(hostnameField) || list.every((field) => columns.includes(field));
    return { delimiter, columns: columns.length, named: columns.length > 1 && isNamed };
  });
  counts.sort((a, b) => Number(b.named) - Number(a.named) || b.columns - a.columns);
  return counts[0]?.delimiter ?? ',';
}

/** Number of lines that are searched for the headings if the account does not name their line. */
const MOST_TITLES = 20;

export interface Headings {
  /** Number of lines before the headings. */
  readonly line: number;
  readonly delimiter: string;
}

/** Returns the position of the headings and their delimiter; `undefined` if more lines may have to be searched. */
export function findHeadings(
  head: string,
  isWhole: boolean,
  { hostname_field: field, header_line, delimiter }: Pick<CsvOptions, 'hostname_field' | 'header_line' | 'delimiter'>,
): Headings | undefined {
  const lines = head.split('\n');
  if (!isWhole) lines.pop();
  const hint = /^sep=(.)\r?$/i.exec(lines.find((line) => line.trim() !== '')?.trimStart() ?? '')?.[1];
  const separator = (line: string): string => delimiter ?? hint ?? guessDelimiter(line, field);
  if (header_line !== undefined) {
    const line = lines[header_line - 1];
    if (line === undefined) return isWhole ? { line: lines.length, delimiter: separator('') } : undefined;
    return { line: header_line - 1, delimiter: separator(line) };
  }
  const filled = lines.flatMap((line, index) =>
    line.trim() === '' || /^\s*(?:sep=.?\s*$|#TYPE )/i.test(line) ? [] : [index],
  );
  const found = filled.slice(0, MOST_TITLES).find((index) => {
    const line = lines[index] ?? '';
    const cells = line.split(separator(line)).map((cell) => cell.trim().replace(/^=?"(.*)"$/s, '$1'));
    return hasNameColumn(cells, field);
  });
  const [first] = filled;
  if (found !== undefined) return { line: found, delimiter: separator(lines[found] ?? '') };
  if (!isWhole && filled.length < MOST_TITLES) return undefined;
  return { line: first ?? lines.length, delimiter: separator(lines[first ?? -1] ?? '') };
}

/** Whether the cells are headings with those of the hostname among them. */
function hasNameColumn(cells: readonly string[], field: string): boolean {
  const headings = new Set(cells.map(headingOf));
  return headings.has(field) || nameFields(field).every((name) => headings.has(name));
}

/** Which row of a sheet has the headings, of its first rows that hold something; `undefined` while more may come. */
export function findHeadingRow(
  rows: readonly CsvRow[],
  isWhole: boolean,
  { hostname_field: field, header_line }: Pick<CsvOptions, 'hostname_field' | 'header_line'>,
): number | undefined {
  const found = rows.findIndex(({ cells, line }, index) =>
    header_line === undefined ? index < MOST_TITLES && hasNameColumn(cells, field) : line >= header_line,
  );
  if (found !== -1) return found;
  if (header_line !== undefined) return isWhole ? rows.length : undefined;
  return isWhole || rows.length >= MOST_TITLES ? 0 : undefined;
}

/** Reads the headings. A file is not imported if its headings are ambiguous, or if the column of the hostname is missing. */
export function readHeader(
  cells: readonly string[],
  {
    path,
    hostname_field: field,
    record_filter,
    key_fields,
  }: Pick<CsvOptions, 'path' | 'hostname_field' | 'record_filter' | 'key_fields'>,
): Header {
  const headings = cells.map(headingOf);
  const named = headings.filter((heading) => heading !== '');
  const fields = headings.includes(field) ? [field] : nameFields(field);
  const missing = fields.find((name) => !headings.includes(name));
  if (missing !== undefined) throw fileFault(path, noColumn(shown(missing), named));
  const hostname = fields.map((name) => headings.indexOf(name));
  const twice = named.find((heading, index) => named.indexOf(heading) !== index);
  if (twice !== undefined)
    throw fileFault(path, worded`has several columns called ${{ column: shown(twice) }}; give each its own name`);
  const columnsOf = (keys: readonly string[], option: string) => {
    const columns = keys.map((key) => ({ index: headings.indexOf(key), key }));
    const unknown = columns.find(({ index }) => index === -1);
    if (unknown === undefined) return columns;
    const names = shownNames(named);
    const problem = worded`has no column ${{ column: shown(unknown.key) }}, which ${{ option }} names`;
    throw fileFault(path, names === undefined ? problem : worded`${{ problem }}; its columns: ${{ names }}`);
  };
  const conditions = readFilter(record_filter ?? '').map((condition) => condition.field);
  const filtered = columnsOf(conditions, 'record_filter');
  const keyed = columnsOf(new RecordKeys(key_fields).paths, 'key_fields');
  const only = hostname.length === 1 ? hostname[0] : -1;
  const labels = headings.flatMap((key, index) => (key === '' || index === only ? [] : [{ index, key }]));
  const nameless = headings.flatMap((key, index) => (key === '' ? [index] : []));
  const trims = cells.slice(1).some((cell) => /^[ \t]+\S/.test(cell));
  return { width: headings.length, headings, trims, hostname, labels, nameless, filtered, keyed };
}

/** `="007"` and `=T("007")` are how a text is written that spreadsheets shall not take for a number. */
export function plainCell(cell: string): string {
  if (!cell.startsWith('=')) return cell;
  const [, text, inBrackets = text] = /^=(?:"(.*)"|T?\("(.*)"\))$/is.exec(cell) ?? [];
  return inBrackets === undefined ? cell : inBrackets.replaceAll('""', '"');
}

/** A heading without invisible characters, which come with names that are copied from pages. */
export function headingOf(cell: string): string {
  return plainCell(cell)
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
    .trim();
}

/** Returns the message for a missing column. A first line with a single value could contain anything, so it is not shown. */
function noColumn(column: string, named: readonly string[]): Wording {
  if (/^(?:[[{]$|\{\s*"|\[\s*[[{"])/.test(named[0] ?? ''))
    return worded`looks like JSON; use an account of ${{ type: 'type json' }}`;
  if (named.length < 2)
    return worded`has no column ${{ column }}: its first line is one value; is the delimiter another one, or are the headings further below (header_line)?`;
  const names = shownNames(named);
  return names === undefined
    ? worded`has no column ${{ column }}: its first line is not a header line`
    : worded`has no column ${{ column }}; its columns: ${{ names }}; set hostname_field`;
}
