import { shown } from '../../kit/file-source/fault.ts';
import { setOwn } from '../../kit/file-source/own-property.ts';
import { blankLabels } from '../../kit/records/blank-labels.ts';
import type { RecordFilter } from '../../kit/records/record-filter.ts';
import type { RecordKeys } from '../../kit/records/record-keys.ts';
import { nameFields, noNameText } from '../../kit/records/record-name.ts';
import { isNoName } from '../../kit/records/worthless-values.ts';
import { worded } from '../../kit/worded.ts';
import type { JsonValue, SourceItem, Wording } from '../../ports/index.ts';
import { type Header, plainCell } from './header.ts';
import type { CsvOptions } from './options.ts';
import type { CsvRow } from './tokenizer.ts';

/** Turns rows into records. Values remain text; blank lines and rows that the filter leaves out are not records. */
export function rowMapper(
  header: Header,
  options: Pick<
    CsvOptions,
    'hostname_field' | 'empty_cells' | 'comment_sign' | 'totals' | 'number_format' | 'date_format'
  >,
  { filter, keys }: { readonly filter: RecordFilter; readonly keys: RecordKeys },
): (row: CsvRow) => SourceItem | undefined {
  const { hostname_field: hostnameField, empty_cells, comment_sign: comment } = options;
  const isRead = options.number_format !== 'text' || options.date_format !== 'text';
  const skipsEmpty = empty_cells === 'skip';
  const blank = blankLabels(header.labels.map(({ key }) => key));
  return ({ cells: written, line }) => {
    if (isBlank(written)) return undefined;
    if (comment !== '' && written[0]?.trimStart().startsWith(comment) === true) return undefined;
    const cells = plainCells(written, header);
    if (isNoRecord(cells, header)) return undefined;
    const position = `line ${line}`;
    const hostname = nameOf(cells, header);
    if (!fits(cells, header)) {
      const reason = worded`has ${{ values: valuesWording(cells.length) }} where the header has ${{ columns: columnsWording(header.width) }}`;
      return hostname === ''
        ? keys.added({ kind: 'skipped', position, reason }, cellsOf(cells, header.keyed))
        : { kind: 'skipped', position, hostname, reason };
    }
    if (header.filtered.length > 0 && !filter.passes(cellsOf(cells, header.filtered), position)) return undefined;
    if (hostname === '')
      return keys.added(
        {
          kind: 'skipped',
          position,
          reason: worded`has no name: ${{ fault: emptyText(cells, header, hostnameField) }}`,
        },
        cellsOf(cells, header.keyed),
      );
    const reason = noHost(hostname, options);
    if (reason !== undefined) return { kind: 'skipped', position, hostname, reason };
    const labels: Record<string, JsonValue> =
      skipsEmpty && cells.includes('') ? filledLabels(cells, header) : allLabels(cells, header, blank);
    if (isRead) for (const key in labels) labels[key] = localValue(String(labels[key]), options);
    const isLater = header.hostname.length > 1 && isNoName(cells[header.hostname[0] ?? 0] ?? '');
    const warnings = header.nameless.filter((index) => cells[index]?.trim() !== '').map(lostColumn);
    const plain = { kind: 'record', position, hostname, labels, ...(warnings.length > 0 && { warnings }) } as const;
    const record = isLater ? ({ ...plain, laterName: true } as const) : plain;
    return header.keyed.length === 0 ? record : keys.added(record, cellsOf(cells, header.keyed));
  };
}

function lostColumn(index: number): Wording {
  return worded`column ${{ number: String(index + 1) }} has no heading; what it holds is left out`;
}

function plainCells(cells: readonly string[], { trims }: Header): readonly string[] {
  if (!trims && !cells.some((cell) => cell.startsWith('='))) return cells;
  return cells.map((cell) => plainCell(trims ? cell.trim() : cell));
}

/** Recognises repeated headings, lines of dashes between parts of a table, and the `(2 rows)` that a database adds at the end. */
function isNoRecord(cells: readonly string[], { headings }: Header): boolean {
  const [first = ''] = cells;
  if (first.trim() === headings[0] && cells.every((cell, index) => cell.trim() === (headings[index] ?? '')))
    return true;
  if (cells.length < headings.length && /^\s*\(?\d+ rows?\b(?: [a-z]+)*(?:\)|\.| \([\d.]+ sec\))?\s*$/i.test(first))
    return true;
  return /^\s*[-=_+*~|]+\s*$/.test(first) && cells.every((cell) => /^[\s=_+*~|-]*$/.test(cell));
}

const TOTAL =
  /^(?:(?:grand |sub-?)?totals?|(?:zwischen|gesamt)?summen?|sum|gesamt|insgesamt|somme|suma|totale|average|durchschnitt|mittelwert|(?:anzahl|count|number of)(?:\s+\S+)*)(?:\s*[:=(].*|\s+\d[\d.,]*)?$/i;

/** Returns why a row does not describe a host, although it has a name. Skipped rows do not lead to archiving. */
function noHost(
  hostname: string,
  { totals, comment_sign }: Pick<CsvOptions, 'totals' | 'comment_sign'>,
): Wording | undefined {
  if (hostname.startsWith('=')) return worded`its name is a formula, and formulas are not computed; save their values`;
  const [sign] = comment_sign === '' ? (/^(?:[#;%!]|\/\/|--|rem(?=\s))/i.exec(hostname) ?? []) : [];
  if (sign !== undefined)
    return worded`its name begins with ${{ sign }}: is the line a comment? Then set ${{ option: `comment_sign=${sign}` }}`;
  return totals === 'skip' && TOTAL.test(hostname)
    ? worded`looks like a row of totals; if it is a host, set ${{ option: 'totals=keep' }}`
    : undefined;
}

const NUMBERS = {
  '1.234,56': /^-?(?:[1-9]\d{0,2}(?:\.\d{3})+|0|[1-9]\d*)(?:,\d+)?$/,
  '1,234.56': /^-?(?:[1-9]\d{0,2}(?:,\d{3})+|0|[1-9]\d*)(?:\.\d+)?$/,
};

/** A number or date of a country as one that all understand; every other text as it is. */
function localValue(
  cell: string,
  { number_format, date_format }: Pick<CsvOptions, 'number_format' | 'date_format'>,
): JsonValue {
  const text = cell.trim();
  if (number_format !== 'text' && NUMBERS[number_format].test(text)) {
    const [group, point] = number_format === '1.234,56' ? ['.', ','] : [',', '.'];
    const number = Number(text.replaceAll(group, '').replace(point, '.'));
    return Number.isSafeInteger(Math.trunc(number)) ? number : cell;
  }
  if (date_format === 'text') return cell;
  const [, first = '', sign, second = '', year = '', time = ''] =
    /^(\d{1,2})([./])(\d{1,2})\2(\d{4})(?:[ T](\d\d:\d\d(?::\d\d)?))?$/.exec(text) ?? [];
  if (sign !== date_format[2]) return cell;
  const [day, month] = date_format.startsWith('MM') ? [second, first] : [first, second];
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (at.getUTCMonth() !== Number(month) - 1 || at.getUTCDate() !== Number(day)) return cell;
  return `${at.toISOString().slice(0, 10)}${time === '' ? '' : ` ${time}`}`;
}

function allLabels(
  cells: readonly string[],
  header: Header,
  blank: Readonly<Record<string, string>>,
): Record<string, string> {
  const labels = { ...blank };
  for (const { index, key } of header.labels) labels[key] = cells[index] ?? '';
  return labels;
}

function filledLabels(cells: readonly string[], header: Header): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const { index, key } of header.labels) {
    const cell = cells[index] ?? '';
    if (cell !== '') setOwn(labels, key, cell);
  }
  return labels;
}

function nameOf(cells: readonly string[], { hostname }: Header): string {
  for (const index of hostname) {
    const name = (cells[index] ?? '').trim();
    if (!isNoName(name)) return name;
  }
  return '';
}

function emptyText(cells: readonly string[], { hostname }: Header, field: string): Wording {
  const written = hostname.map((index) => (cells[index] ?? '').trim()).find((text) => text !== '');
  if (written !== undefined) return noNameText(shown(field), written);
  if (hostname.length === 1) return worded`column ${{ field: shown(field) }} is empty`;
  return worded`the columns ${{ fields: nameFields(field).map(shown).join(', ') }} are empty`;
}

function cellsOf(cells: readonly string[], columns: Header['filtered']): Record<string, string> {
  const record: Record<string, string> = {};
  for (const { index, key } of columns) setOwn(record, key, (cells[index] ?? '').trim());
  return record;
}

/** DOS ended files with Ctrl-Z. */
export function isBlank(cells: readonly string[]): boolean {
  return cells.length === 1 && cells[0]?.replace('\u001a', '').trim() === '';
}

/** Whether the row is a sum below the table, which may be shorter. */
export function isTotal([first = '']: readonly string[]): boolean {
  return TOTAL.test(first.trim());
}

/** Spreadsheets like to add empty values at the end of rows; other surplus means that values are in wrong columns. */
function fits(cells: readonly string[], header: Header): boolean {
  if (cells.length === header.width) return true;
  return cells.length > header.width && cells.every((cell, index) => index < header.width || cell.trim() === '');
}

function valuesWording(count: number): Wording {
  return count === 1 ? worded`1 value` : worded`${{ count: String(count) }} values`;
}

function columnsWording(count: number): Wording {
  return count === 1 ? worded`1 column` : worded`${{ count: String(count) }} columns`;
}
